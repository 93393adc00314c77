import { Fault } from '@sluice/errors';
import type { Estimate } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { UsageFact } from '@sluice/usage-facts';
import { decide, type LeaseAnswers } from '../commands/acquire-leases.ts';
import { priced, type Testimony } from '../commands/correct-usage.ts';
import type { CreditEntry } from '../domain/credit/credit-entry.ts';
import { leasePayments } from '../domain/lease/lease-payments.ts';
import {
  type Budget,
  budgetText,
  type LeaseRequest,
  leaseRequestsProblem,
} from '../domain/lease/lease-request.ts';
import { type ScopeLimits, scopeText } from '../domain/limit/scope-limits.ts';
import {
  correctionTransfers,
  creditTransfers,
  type Transfer,
  usageTransfers,
} from '../domain/transfer/transfers.ts';
import { correctionOf, type CorrectionSource, differenceOf } from '../domain/usage/correction.ts';
import { suspendedFacts } from '../domain/usage/suspended.ts';
import { type Increment, tally } from '../domain/usage/tally.ts';
import type { Decoded } from '../messages/decode.ts';
import type { ReplicaEpoch } from '../store/record-replica.ts';
import type { BudgetRow } from '../store/read-budgets.ts';
import type { Carried, LedgerOperation } from './ledger-operation.ts';

/** A row of `leases`. */
export interface ModelLease {
  readonly replica: string;
  readonly epoch: bigint;
  readonly number: bigint;
  readonly budget: Budget;
  granted: bigint;
  returned: bigint;
  counted: bigint;
  held: bigint;
  isClosed: boolean;
}

/** The mistake of a mutant. */
export interface LedgerMutation {
  /** The mutant grants by the settled amount and ignores other leases. */
  readonly checksThenRecords?: boolean;
  /** The mutant counts a repeated fact again. */
  readonly hasNoPrimaryKey?: boolean;
  /** The watermark is the highest sequence, whatever is missing below. */
  readonly watermarkSkipsGaps?: boolean;
  /** The leases of a dead epoch are free as soon as its replica is back. */
  readonly freesBeforeCounting?: boolean;
  /** Counted usage stays on lease too. */
  readonly keepsCountedOnLease?: boolean;
  /** The mutant never grants the last quarter of a limit. */
  readonly refusesEarly?: boolean;
  /** The mutant lets the amount in suspense be spent. */
  readonly releasesSuspense?: boolean;
  /** The mutant counts a fact and moves no money for it. */
  readonly movesNothing?: boolean;
  /** The mutant covers again the part that the month's allowance covered. */
  readonly forgetsWhatWasFree?: boolean;
}

interface Limit {
  readonly limitNanoUsd: bigint;
  readonly includeByok: boolean;
}

const silentMs = 15_000;

/**
 * The ledger without its database: its own pure rules, on tables that are maps. Where the rule is in SQL, it
 * is written here a second time, and `ledger-model.int.spec.ts` of the simulation holds both against each other.
 */
export class LedgerModel {
  readonly facts: UsageFact[] = [];
  /** Usage id → the fact as it arrived, until a correction replaces it. */
  readonly estimates = new Map<string, UsageFact>();
  readonly transfers: Transfer[] = [];
  readonly counters = new Map<string, Increment>();
  readonly suspended = new Map<string, Increment>();
  readonly limits = new Map<string, Limit>();
  readonly deadLetters: string[] = [];
  readonly leases = new Map<string, ModelLease>();
  /** Each operation, in order. */
  readonly carried: Carried[] = [];
  readonly #nowMs: () => number;
  readonly #mutation: LedgerMutation;
  readonly #byUsageId = new Map<string, UsageFact>();
  readonly #creditIds = new Set<string>();
  readonly #revisions = new Map<string, bigint>();
  readonly #replicas = new Map<string, { epoch: bigint; heardMs: number }>();
  readonly #settled = new Map<string, Set<bigint>>();

  constructor(nowMs: () => number, mutation: LedgerMutation = {}) {
    this.#nowMs = nowMs;
    this.#mutation = mutation;
  }

  settleUsage(all: readonly Decoded<UsageFact>[]): void {
    this.#note({ do: 'settle usage', decoded: all }, () => this.#settleUsage(all));
  }

  /** Returns the number of facts that were corrected. */
  correctUsage(testimonies: readonly Testimony[], source: CorrectionSource): number {
    const operation = { do: 'correct usage', testimonies, source } as const;
    return this.#note(operation, () => this.#correctUsage(testimonies, source));
  }

  listEstimates(replica: string, limit: number): readonly Estimate[] {
    const listed = [...this.estimates.values()].filter(
      (fact) => fact.replica === replica && fact.upstreamId !== '',
    );
    return listed.toSorted(bySuspense).slice(0, limit).map(estimateOf);
  }

  addCredit(entry: CreditEntry): void {
    this.#note({ do: 'add credit', entry }, () => this.#addCredit(entry));
  }

  setLimits(fact: ScopeLimits): void {
    this.#note({ do: 'set limits', fact }, () => this.#setLimits(fact));
  }

  acquire(writer: ReplicaEpoch, requests: readonly LeaseRequest[]): LeaseAnswers {
    const operation = { do: 'acquire', writer, requests } as const;
    return this.#note(operation, () => this.#acquire(writer, requests));
  }

  /** Returns the amount that is free again. */
  closeEpochs(writer: ReplicaEpoch): bigint {
    return this.#note({ do: 'close epochs', writer }, () => this.#closeEpochs(writer));
  }

  watermark(writer: ReplicaEpoch): bigint {
    return this.#note({ do: 'read watermark', writer }, () => this.#watermark(writer));
  }

  leasedNanoUsd(budget: Budget): bigint {
    const text = budgetText(budget);
    let sum = 0n;
    for (const lease of this.leases.values())
      if (budgetText(lease.budget) === text) sum += outOf(lease);
    return sum;
  }

  #note<Answer>(operation: LedgerOperation, carryOut: () => Answer): Answer {
    const atMs = this.#nowMs();
    try {
      const answer = carryOut();
      this.carried.push({ operation, atMs, answer });
      return answer;
    } catch (error) {
      this.carried.push({ operation, atMs, answer: error instanceof Fault ? error.code : error });
      throw error;
    }
  }

  #settleUsage(all: readonly Decoded<UsageFact>[]): void {
    for (const decoded of all) {
      if (decoded.place) {
        const writer = `${decoded.place.replica}/${decoded.place.epoch}`;
        const settled = this.#settled.get(writer) ?? new Set();
        this.#settled.set(writer, settled.add(decoded.place.sequence));
      }
      if ('problem' in decoded) this.deadLetters.push(decoded.problem);
      else this.#settle(decoded.fact);
    }
  }

  #correctUsage(testimonies: readonly Testimony[], source: CorrectionSource): number {
    const before = this.estimates.size;
    for (const testimony of testimonies) {
      const { usageId } = testimony;
      const fact = this.estimates.get(usageId);
      if (!fact) continue;
      this.estimates.delete(usageId);
      const correction = correctionOf(fact, priced(fact, testimony), source);
      const index = this.facts.findIndex((one) => one.usageId === usageId);
      const { upstreamId, costNanoUsd, dataDiscountNanoUsd, cacheDiscountNanoUsd } = correction;
      const upstreamCostNanoUsd = costNanoUsd + correction.absorbedNanoUsd;
      const estimated = source === 'write_off';
      const discounts = { dataDiscountNanoUsd, cacheDiscountNanoUsd };
      const amounts = { costNanoUsd, upstreamCostNanoUsd, ...discounts };
      this.facts[index] = { ...fact, ...amounts, upstreamId, estimated };
      this.transfers.push(...correctionTransfers(correction));
      for (const increment of tally([differenceOf(correction)])) add(this.counters, increment);
      for (const suspended of suspendedFacts([fact]))
        for (const one of tally([{ ...suspended, costNanoUsd: -suspended.costNanoUsd }]))
          add(this.suspended, one);
    }
    return before - this.estimates.size;
  }

  #addCredit(entry: CreditEntry): void {
    if (this.#creditIds.has(entry.creditId)) return;
    this.#creditIds.add(entry.creditId);
    this.transfers.push(...creditTransfers(entry));
    const { accountId } = entry;
    const key = limitKey({ accountId, scopeKind: 'account', scopeId: accountId }, 'lifetime');
    const before = this.limits.get(key)?.limitNanoUsd ?? 0n;
    this.limits.set(key, { limitNanoUsd: before + entry.amountNanoUsd, includeByok: false });
  }

  #setLimits(fact: ScopeLimits): void {
    const scope = scopeText(fact);
    if ((this.#revisions.get(scope) ?? -1n) >= fact.revision) return;
    this.#revisions.set(scope, fact.revision);
    for (const key of this.limits.keys()) if (key.startsWith(`${scope}/`)) this.limits.delete(key);
    for (const { windowKind, limitNanoUsd } of fact.limits)
      this.limits.set(limitKey(fact, windowKind), { limitNanoUsd, includeByok: fact.includeByok });
  }

  #acquire(writer: ReplicaEpoch, requests: readonly LeaseRequest[]): LeaseAnswers {
    this.#hear(writer);
    const problem = leaseRequestsProblem(requests);
    if (problem !== undefined) throw new Fault('invalid_request', { message: problem });
    const nowMs = this.#nowMs();
    const heard = [...this.#replicas.values()].filter(({ heardMs }) => nowMs - heardMs < silentMs);
    const replicas = BigInt(heard.length);
    const decided = requests.map((request) =>
      decide(request, this.#rowOf(writer, request), replicas),
    );
    for (const { change } of decided)
      if (change) this.#write(writer, change.request, change.grantNanoUsd);
    return { leases: decided.map(({ answer }) => answer), replicas };
  }

  #closeEpochs(writer: ReplicaEpoch): bigint {
    this.#hear(writer);
    let freed = 0n;
    for (const [key, lease] of this.leases)
      if (lease.replica === writer.replica && lease.epoch < writer.epoch) {
        freed += outOf(lease);
        this.leases.delete(key);
      }
    return freed;
  }

  #watermark({ replica, epoch }: ReplicaEpoch): bigint {
    const settled = this.#settled.get(`${replica}/${epoch}`) ?? new Set<bigint>();
    let sequence = 0n;
    if (this.#mutation.watermarkSkipsGaps)
      for (const one of settled) sequence = one > sequence ? one : sequence;
    while (settled.has(sequence + 1n)) sequence += 1n;
    return sequence;
  }

  #settle(fact: UsageFact): void {
    const known = this.#byUsageId.get(fact.usageId);
    if (known && !this.#mutation.hasNoPrimaryKey) {
      if (isOther(known, fact)) this.deadLetters.push('its usage_id is counted with other values');
      return;
    }
    this.#byUsageId.set(fact.usageId, fact);
    this.facts.push(fact);
    if (!this.#mutation.movesNothing) this.transfers.push(...usageTransfers(fact));
    if (fact.estimateReason !== '') this.estimates.set(fact.usageId, fact);
    for (const increment of tally([fact]))
      if (!this.#mutation.forgetsWhatWasFree || increment.scopeKind !== 'allowance')
        add(this.counters, increment);
    if (!this.#mutation.releasesSuspense)
      for (const one of tally(suspendedFacts([fact]))) add(this.suspended, one);
    if (this.#mutation.keepsCountedOnLease) return;
    for (const { replica, epoch, number, amountNanoUsd } of leasePayments([fact])) {
      const lease = this.leases.get(`${replica}/${epoch}/${number}`);
      if (lease) lease.counted += amountNanoUsd;
    }
  }

  #hear({ replica, epoch }: ReplicaEpoch): void {
    const known = this.#replicas.get(replica);
    if (known && known.epoch > epoch) throw new Fault('conflict');
    this.#replicas.set(replica, { epoch, heardMs: this.#nowMs() });
    if (known && known.epoch < epoch && this.#mutation.freesBeforeCounting)
      for (const [key, lease] of this.leases)
        if (lease.replica === replica && lease.epoch < epoch) this.leases.delete(key);
  }

  #rowOf({ replica, epoch }: ReplicaEpoch, { number, budget }: LeaseRequest): BudgetRow {
    const own = this.leases.get(`${replica}/${epoch}/${number}`);
    const limit = this.#limitOf(budget);
    const counter = this.counters.get(counterKey(budget));
    const suspended = this.suspended.get(counterKey(budget));
    return {
      limit: limit?.limitNanoUsd ?? null,
      include_byok: limit?.includeByok ?? null,
      credits: (counter?.creditsNanoUsd ?? 0n) + (suspended?.creditsNanoUsd ?? 0n),
      byok: (counter?.byokNanoUsd ?? 0n) + (suspended?.byokNanoUsd ?? 0n),
      leased: this.#mutation.checksThenRecords ? 0n : this.leasedNanoUsd(budget),
      granted: own?.granted ?? null,
      returned: own?.returned ?? null,
      counted: own?.counted ?? null,
      held: own?.held ?? null,
      is_closed: own ? own.isClosed : null,
      purchased: null,
      is_foreign: own ? budgetText(own.budget) !== budgetText(budget) : null,
    };
  }

  #limitOf(budget: Budget): Limit | undefined {
    const [scopeId = ''] = budget.scopeId.split(':');
    const limit = this.limits.get(limitKey({ ...budget, scopeId }, budget.windowKind));
    if (!limit || !this.#mutation.refusesEarly) return limit;
    return { ...limit, limitNanoUsd: (limit.limitNanoUsd * 3n) / 4n };
  }

  #write(
    { replica, epoch }: ReplicaEpoch,
    { number, budget, returnedNanoUsd, heldNanoUsd = 0n, close }: LeaseRequest,
    grantNanoUsd: bigint,
  ): void {
    const key = `${replica}/${epoch}/${number}`;
    const none = { granted: 0n, returned: 0n, counted: 0n, held: 0n, isClosed: false };
    const lease = this.leases.get(key) ?? { replica, epoch, number, budget, ...none };
    const givenBack = close ? lease.granted - lease.counted : 0n;
    lease.granted += grantNanoUsd;
    for (const returned of [returnedNanoUsd, givenBack])
      if (returned > lease.returned) lease.returned = returned;
    lease.held = heldNanoUsd;
    lease.isClosed ||= close;
    this.leases.set(key, lease);
  }
}

function add(sums: Map<string, Increment>, increment: Increment): void {
  const key = counterKey({ ...increment, windowStart: increment.windowStart.toISOString() });
  const before = sums.get(key);
  sums.set(key, {
    ...increment,
    creditsNanoUsd: (before?.creditsNanoUsd ?? 0n) + increment.creditsNanoUsd,
    byokNanoUsd: (before?.byokNanoUsd ?? 0n) + increment.byokNanoUsd,
  });
}

function outOf({ granted, returned, counted }: ModelLease): bigint {
  const out = granted - returned - counted;
  return out > 0n ? out : 0n;
}

function estimateOf(fact: UsageFact): Estimate {
  const { usageId, accountId, model, endpointId, upstreamId, suspendedNanoUsd } = fact;
  return { usageId, accountId, model, endpointId, upstreamId, suspendedNanoUsd };
}

function bySuspense(a: UsageFact, b: UsageFact): number {
  if (a.suspendedNanoUsd !== b.suspendedNanoUsd)
    return a.suspendedNanoUsd > b.suspendedNanoUsd ? -1 : 1;
  return a.usageId < b.usageId ? -1 : 1;
}

/** True if a second fact of the same id differs from the first. */
function isOther(a: UsageFact, b: UsageFact): boolean {
  return (
    a.accountId !== b.accountId ||
    a.keyHash !== b.keyHash ||
    a.costNanoUsd !== b.costNanoUsd ||
    a.isByok !== b.isByok ||
    a.feeNanoUsd !== b.feeNanoUsd ||
    a.freeNanoUsd !== b.freeNanoUsd ||
    a.admittedAt !== b.admittedAt
  );
}

function limitKey(
  scope: Pick<ScopeLimits, 'accountId' | 'scopeKind' | 'scopeId'>,
  windowKind: string,
): string {
  return `${scopeText(scope)}/${windowKind}`;
}

function counterKey(place: Budget): string {
  return budgetText(place);
}
