import type { LedgerModel } from '@sluice/ledger/testing';
import { bookProblems } from './books.ts';
import { replay } from './replay.ts';
import { add, budgetNameOf, costOf, greater, lesser, periodOf, type Sums } from './sums.ts';
import type { SimulatedCap } from './caps.ts';
import { type Asked, isRefusal } from './clients.ts';
import { leastNeedOf, mostNeedOf } from './need.ts';
import {
  byokProblem,
  type Charge,
  chargeOf,
  isOwnFull,
  isSeenOnly,
  mayUseOwn,
  takenOf,
} from './own-credentials.ts';
import { customerProblem, upstreamOf } from './payers.ts';
import type { ProviderCall } from './provider.ts';
import { mayBeUnknown } from './unheard.ts';
import type { Verdict } from './verdict.ts';

/** The view from outside: the provider's books, the clients' answers, the ledger's tables. */
export interface Evidence {
  readonly calls: readonly ProviderCall[];
  readonly asked: readonly Asked[];
  /** The caps, by account and scope. */
  readonly caps: readonly SimulatedCap[];
  readonly allowanceNanoUsd: bigint;
  /** A power cut may lose a call of which nothing was heard. */
  readonly mayLose: boolean;
  readonly tables: Pick<
    LedgerModel,
    'facts' | 'estimates' | 'transfers' | 'counters' | 'limits' | 'leases' | 'deadLetters'
  >;
}

type Row = Evidence['tables']['facts'][number];

/** News of a limit is so old at most when a request is refused by it. */
const newsMsMax = 1_000;
/** That an allowance is used up is believed for so long. */
const usedUpMsMax = 5_000;
const findingsMax = 20;

/**
 * Holds what is seen from outside against the invariants, after every step, with sums of its own: it knows
 * neither leases nor spools, and shares no code with what it judges.
 */
export class Auditor {
  readonly findings: string[] = [];
  overspendNanoUsd = 0n;
  double = 0;
  readonly #evidence: Evidence;
  /** Attempt → its row. */
  readonly #rows = new Map<string, Row>();
  readonly #usageIds = new Set<string>();
  /** Places of rows that a correction may still change. */
  #open: number[] = [];
  readonly #final: Sums = new Map();
  readonly #ceilings: Sums = new Map();
  readonly #committed: Sums = new Map();
  readonly #rooms = new Map<string, { atMs: number; room: bigint }[]>();
  readonly #judged = new Set<Asked>();
  #live: ProviderCall[] = [];
  #ended: Sums = new Map();
  #facts = 0;
  #calls = 0;

  constructor(evidence: Evidence) {
    this.#evidence = evidence;
  }

  step(nowMs: number): void {
    this.#readRows();
    this.#cap(nowMs);
    this.#refusals();
  }

  /** When everything has come to rest. */
  finish(): Verdict {
    const { calls, tables } = this.#evidence;
    const charged = calls.filter(({ state }) => state === 'charged');
    const receipts = new Map(charged.map((call) => [call.attempt, call]));
    const rows = new Map(tables.facts.map((row) => [row.usageId, row]));
    let [lost, unknown, interrupted] = [0, 0, 0];
    let [receiptNanoUsd, billedNanoUsd] = [0n, 0n];
    for (const call of charged) {
      const [row, owed] = [rows.get(call.attempt), costOf(call)];
      if (!row && mayBeUnknown(this.#evidence, call)) {
        unknown++;
        continue;
      }
      if (row?.outcome === 'interrupted') interrupted++;
      if (!row) lost++;
      if (row && isSeenOnly(row, call)) continue;
      receiptNanoUsd += owed;
      const counted = row && upstreamOf(row);
      if (counted !== owed)
        this.#find(`${call.attempt} is counted ${counted} where ${owed} was charged`);
    }
    const all = new Map(calls.map((call) => [call.attempt, call]));
    for (const row of tables.facts) {
      const call = all.get(row.usageId);
      const problem = byokProblem(row, call);
      if (problem !== undefined) this.#find(problem);
      const payer = customerProblem(row);
      if (payer !== undefined) this.#find(payer);
      if (isSeenOnly(row, call)) continue;
      billedNanoUsd += upstreamOf(row);
      if (upstreamOf(row) > 0n && !receipts.has(row.usageId))
        this.#find(`${row.usageId} is counted and was never charged`);
    }
    if (tables.estimates.size > 0) this.#find(`${tables.estimates.size} estimates stay open`);
    for (const letter of tables.deadLetters) this.#find(`a dead letter: ${letter}`);
    for (const { requestId, broken } of this.#evidence.asked)
      if (broken !== undefined) this.#find(`${requestId}: ${broken}`);
    for (const { status } of this.#evidence.asked.filter((asked) => !this.#judged.has(asked)))
      this.#find(`a request has no end (${status})`);
    for (const finding of replay(tables)) this.#find(finding);
    for (const finding of bookProblems(tables)) this.#find(finding);
    for (const [budget, out] of this.#leased())
      if (out !== 0n) this.#find(`${out} of ${budget} is leased for ever`);
    const { double, overspendNanoUsd, findings } = this;
    const sums = { receiptNanoUsd, billedNanoUsd, overspendNanoUsd };
    return { lost, unknown, double, interrupted, ...sums, findings };
  }

  /** Nothing twice. */
  #readRows(): void {
    const { facts } = this.#evidence.tables;
    for (; this.#facts < facts.length; this.#facts++) {
      const row = facts[this.#facts] as Row;
      if (this.#usageIds.has(row.usageId)) {
        this.double++;
        this.#find(`${row.usageId} is twice`);
      }
      this.#usageIds.add(row.usageId);
      this.#fee(row);
      this.#rows.set(row.usageId, row);
      this.#open.push(this.#facts);
    }
  }

  /** A fee is taken where the allowance had no room for the request, then or a moment before. */
  #fee(row: Row): void {
    const asked = this.#askedOf(row.requestId);
    if (row.feeNanoUsd === 0n || !asked) return;
    const name = `allowance/${row.accountId}/monthly/`;
    const roomOf = (at: string) =>
      this.#leastRoom(name + periodOf('monthly', at), asked.sentMs - usedUpMsMax);
    // The free part is decided before the hold: at the turn of a month by the rest of the old one.
    const sentAt = new Date(asked.sentMs).toISOString();
    const room = lesser(roomOf(row.admittedAt), roomOf(sentAt));
    if (room >= mostNeedOf(asked)) this.#find(`${row.usageId} has a fee where ${room} is free`);
  }

  /** Charged and in suspense, per budget. */
  #settled(): Sums {
    const { facts, estimates } = this.#evidence.tables;
    const settled = new Map<string, bigint>();
    this.#open = this.#open.filter((place) => {
      const row = facts[place] as Row;
      const estimate = estimates.get(row.usageId);
      const charge = { ...row, costNanoUsd: row.costNanoUsd + (estimate?.suspendedNanoUsd ?? 0n) };
      for (const [name, amount] of this.#amountsOf(row.keyHash, row.admittedAt, charge))
        add(estimate ? settled : this.#final, name, amount);
      return estimate !== undefined;
    });
    for (const [name, sum] of this.#final) add(settled, name, sum);
    return settled;
  }

  /** Spent and under way at the provider, and settled and leased in the ledger: never over a limit. */
  #cap(nowMs: number): void {
    const [used, leased, settled] = [this.#used(), this.#leased(), this.#settled()];
    for (const name of new Set([...used.keys(), ...leased.keys(), ...settled.keys()])) {
      const limit = this.#limitOf(name);
      if (limit === undefined) continue;
      const committed = (settled.get(name) ?? 0n) + (leased.get(name) ?? 0n);
      const before = this.#committed.get(name) ?? 0n;
      this.#committed.set(name, committed);
      if (committed > limit && committed > before)
        this.#find(`${name}: ${committed} settled and leased of ${limit}`);
      // The amount that was out when a limit was lowered may still be spent, and nothing on top of it.
      const ceiling = greater(limit, lesser(this.#ceilings.get(name) ?? limit, committed));
      this.#ceilings.set(name, ceiling);
      const over = (used.get(name) ?? 0n) - ceiling;
      if (over > 0n) this.#find(`${name} is overspent by ${over} of ${ceiling}`);
      this.overspendNanoUsd = greater(this.overspendNanoUsd, over);
      this.#noteRoom(name, limit - committed, nowMs);
    }
  }

  /** A refusal names a budget that had no room for the request when it was refused. */
  #refusals(): void {
    for (const asked of this.#evidence.asked) {
      const { status, answeredMs, requestId, key } = asked;
      if (answeredMs === undefined || this.#judged.has(asked)) continue;
      this.#judged.add(asked);
      if (status === 500) this.#find(`${requestId} broke`);
      if (!isRefusal(status)) continue;
      const need = leastNeedOf(asked);
      const at = new Date(answeredMs).toISOString();
      const sent = new Date(asked.sentMs).toISOString();
      const rooms = [
        ...this.#budgetsOf(key.keyHash, at),
        ...this.#budgetsOf(key.keyHash, sent),
      ].map(([cap, name]) => [cap, this.#leastRoom(name, asked.sentMs)] as const);
      const shared = rooms.filter(([{ scopeKind }]) => scopeKind !== 'allowance');
      const isFull = mayUseOwn(asked)
        ? isOwnFull(need, rooms)
        : shared.some(([, room]) => room < need);
      if (!isFull) this.#find(`${requestId} is refused where ${need} was there`);
    }
  }

  #used(): Sums {
    const { calls } = this.#evidence;
    for (; this.#calls < calls.length; this.#calls++)
      this.#live.push(calls[this.#calls] as ProviderCall);
    const used = new Map(this.#ended);
    this.#live = this.#live.filter((call) => {
      const row = this.#rows.get(call.attempt);
      const asked = this.#askedOf(call.requestId);
      if (call.state === 'free' || !asked) return false;
      // If it was lost it takes nothing of a limit; if not, its row comes.
      if (!row && mayBeUnknown(this.#evidence, call)) return true;
      const key = asked.key.keyHash;
      const at = row?.admittedAt ?? new Date(call.arrivedMs).toISOString();
      const isEnded = row !== undefined && call.state !== 'open';
      // Without a row it is not known on which side of a midnight between the two it was admitted.
      const sure = row ? undefined : this.#namesAt(key, asked.sentMs);
      for (const [name, amount] of this.#amountsOf(key, at, chargeOf(call, row))) {
        if (sure?.has(name) === false) continue;
        add(used, name, amount);
        if (isEnded) add(this.#ended, name, amount);
      }
      return !isEnded;
    });
    return used;
  }

  #leased(): Sums {
    const leased: Sums = new Map();
    for (const { budget, granted, returned, counted } of this.#evidence.tables.leases.values()) {
      const name = budgetNameOf(budget, budget.windowStart);
      add(leased, name, greater(0n, granted - returned - counted));
    }
    return leased;
  }

  #budgetsOf(keyHash: string, at: string): readonly (readonly [SimulatedCap, string])[] {
    return this.#evidence.caps
      .filter(({ keyHashes }) => keyHashes.includes(keyHash))
      .map((cap) => [cap, budgetNameOf(cap, at)]);
  }

  #namesAt(keyHash: string, atMs: number): ReadonlySet<string> {
    const at = new Date(atMs).toISOString();
    return new Set(this.#budgetsOf(keyHash, at).map(([, name]) => name));
  }

  #amountsOf(keyHash: string, at: string, charge: Charge) {
    return this.#budgetsOf(keyHash, at).map(([cap, name]) => [name, takenOf(cap, charge)] as const);
  }

  #limitOf(name: string): bigint | undefined {
    const [scopeKind, scope = '', windowKind] = name.split('/');
    if (scopeKind === 'allowance') return this.#evidence.allowanceNanoUsd;
    const [scopeId] = scope.split(':');
    for (const [text, { limitNanoUsd }] of this.#evidence.tables.limits)
      if (text.endsWith(`/${scopeKind}/${scopeId}/${windowKind}`)) return limitNanoUsd;
    return undefined;
  }

  #askedOf(requestId: string): Asked | undefined {
    return this.#evidence.asked[Number(requestId.slice('req-'.length)) - 1];
  }

  #noteRoom(name: string, room: bigint, atMs: number): void {
    const rooms = this.#rooms.get(name) ?? [];
    this.#rooms.set(name, rooms);
    if (rooms.at(-1)?.room !== room) rooms.push({ atMs, room });
  }

  /** The least room that a budget had since some time before a request was sent. */
  #leastRoom(name: string, sentMs: number): bigint {
    const rooms = this.#rooms.get(name) ?? [];
    const first = rooms.findLastIndex(({ atMs }) => atMs <= sentMs - newsMsMax);
    const seen = rooms.slice(Math.max(0, first)).map(({ room }) => room);
    return seen.reduce(lesser, this.#limitOf(name) ?? 0n);
  }

  #find(finding: string): void {
    if (this.findings.length < findingsMax) this.findings.push(finding);
  }
}
