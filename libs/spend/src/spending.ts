import assert from 'node:assert/strict';
import { Fault } from '@sluice/errors';
import { amountNanoUsdMax } from '@sluice/amounts';
import { AccountLeases } from './account-leases.ts';
import { amountAt, type Amounts, areAmounts } from './amounts.ts';
import type { Authority } from './authority.ts';
import type { Budget } from './budget.ts';
import { maximum, minimum } from './grant.ts';
import { OpenHold, Shortage, type Hold } from './hold.ts';
import type { Lease } from './lease.ts';
import { close, renew, type Closing } from './tend.ts';

/** The spending of one replica: holds on leases, and the leases that the authority grants it. */
export interface Spending {
  /**
   * All or nothing over the budgets, at once and without asking anybody. The budgets are of one
   * account, in the order in which they refuse.
   */
  hold(budgets: readonly Budget[], amounts: Amounts, at: Date): Hold | Shortage;
  /**
   * Asks the authority for what such a hold lacks. True: it is worth trying again and, if that fails,
   * asking again. Throws unavailable when the authority does not answer.
   */
  ask(budgets: readonly Budget[], amounts: Amounts, at: Date): Promise<boolean>;
  /** The most that a hold could take now; never negative. */
  affordableNanoUsd(budgets: readonly Budget[], at: Date): bigint;
  /** A request is being admitted: it counts among those that share the budgets until the answer is called. */
  enter(budgets: readonly Budget[], at: Date): () => void;
  /**
   * The part of what is left that falls to one request, when as many as share a budget now, and at least
   * `sharersMin`, get the same. undefined: the authority was not asked yet.
   */
  evenPartNanoUsd(budgets: readonly Budget[], at: Date, sharersMin: number): bigint | undefined;
  /** Returns the rest of the scarcest budget, here and at the authority. undefined: as above. */
  leftNanoUsd(budgets: readonly Budget[], at: Date): bigint | undefined;
  /** Resolves when the next hold of the account ends. */
  freed(accountId: string): Promise<void>;
  /** True: the authority had nothing more of it when it said so last, which is news still. */
  isUsedUp(budget: Budget, at: Date): boolean;
  /** The rest of the hold can be held again; the cost is the lease's until the ledger counts it. */
  settle(hold: Hold, costs: Amounts): void;
  /** Nothing was spent. */
  release(hold: Hold): void;
  /** The limits of an account are others now: they are asked for at once. */
  limitsChanged(accountId: string): Promise<void>;
  /** Limits may have changed unheard: all are asked for at the next `tend`. */
  doubtLimits(): void;
  /** To be called about twice a second: renews, gives back what is not needed, forgets. */
  tend(): Promise<void>;
  /** Gives back all that is not held or spent. */
  stop(): Promise<void>;
  readonly openCount: number;
  /** The number of leases, and the age of the oldest answer among leases that have something to spend or held. */
  readonly leases: { readonly count: number; readonly ageMsMax: number };
}

export interface SpendingOptions {
  readonly authority: Authority;
  readonly nowMs: () => number;
}

/** A refusal asks the authority again, unless it said less than this ago that nothing is left. */
const newsMs = 100;
/** A used-up allowance is asked for again after this time. */
const usedUpMs = 5_000;
const retryAfterSeconds = 1;
/** Memory bound: new accounts are refused above it. */
const accountsMax = 500_000;

/** Nothing is leased yet: the first request of an account asks. */
export function createSpending(options: SpendingOptions): Spending {
  return new ReplicaSpending(options);
}

class ReplicaSpending implements Spending {
  readonly #authority: Authority;
  readonly #nowMs: () => number;
  readonly #accounts = new Map<string, AccountLeases>();
  readonly #closing: Closing = new Map();
  readonly #open = new Set<Hold>();
  #numbers = 0n;

  constructor({ authority, nowMs }: SpendingOptions) {
    this.#authority = authority;
    this.#nowMs = nowMs;
  }

  hold(budgets: readonly Budget[], amounts: Amounts, at: Date): Hold | Shortage {
    assert(areAmounts(amounts), 'a hold is not negative');
    const account = this.#accountOf(budgets);
    const leases = budgets.map((budget) => account.lease(budget, at));
    const nowMs = this.#nowMs();
    const short = shortOf(leases, amounts, nowMs);
    if (short) return short;
    leases.forEach((lease, index) => lease.hold(amountAt(amounts, index), nowMs));
    const hold = new OpenHold(leases, amounts, at);
    this.#open.add(hold);
    const low = leases.filter((lease) => lease.isLow(nowMs));
    if (low.length === 0) return hold;
    // Beside the request: whether it comes in time shows at the next one.
    account.batcher.ask(low.map((lease) => [lease, 0n])).catch(() => {});
    return hold;
  }

  async ask(budgets: readonly Budget[], amounts: Amounts, at: Date): Promise<boolean> {
    const account = this.#accountOf(budgets);
    const nowMs = this.#nowMs();
    const short = budgets
      .map((budget, index) => [account.lease(budget, at), amountAt(amounts, index)] as const)
      .filter(([lease, amount]) => !lease.fits(amount, nowMs));
    if (short.some(([lease]) => lease.isKnownEmpty(nowMs, newsMs))) return false;
    for (const [lease, amount] of short) lease.expect(amount, nowMs);
    await account.batcher.ask(short).catch((cause: unknown) => {
      throw new Fault('unavailable', { retryAfterSeconds, cause });
    });
    return short.every(([lease, amount]) => lease.fits(amount, this.#nowMs()) || !lease.isEmpty);
  }

  affordableNanoUsd(budgets: readonly Budget[], at: Date): bigint {
    const account = this.#accountOf(budgets);
    const amounts = budgets.map((budget) => account.lease(budget, at).available);
    return maximum(0n, amounts.reduce(minimum));
  }

  enter(budgets: readonly Budget[], at: Date): () => void {
    const account = this.#accountOf(budgets);
    const nowMs = this.#nowMs();
    const leases = budgets.map((budget) => account.lease(budget, at));
    for (const lease of leases) lease.sharers.enter(nowMs);
    return () => {
      for (const lease of leases) lease.sharers.leave();
    };
  }

  evenPartNanoUsd(budgets: readonly Budget[], at: Date, sharersMin: number): bigint | undefined {
    const nowMs = this.#nowMs();
    return this.#scarcest(budgets, at, (lease, left) => {
      const sharers = Math.max(sharersMin, lease.sharers.count(nowMs));
      return left / BigInt(sharers);
    });
  }

  leftNanoUsd(budgets: readonly Budget[], at: Date): bigint | undefined {
    return this.#scarcest(budgets, at, (_lease, left) => left);
  }

  freed(accountId: string): Promise<void> {
    return this.#accounts.get(accountId)?.freed ?? Promise.resolve();
  }

  isUsedUp(budget: Budget, at: Date): boolean {
    return this.#accountOf([budget]).lease(budget, at).isKnownEmpty(this.#nowMs(), usedUpMs);
  }

  settle(hold: Hold, costs: Amounts): void {
    assert(areAmounts(costs), 'a cost is not negative');
    this.#close(hold, costs);
  }

  release(hold: Hold): void {
    this.#close(hold, 0n);
  }

  async limitsChanged(accountId: string): Promise<void> {
    const account = this.#accounts.get(accountId);
    if (!account) return;
    for (const lease of account.all) lease.doubtLimit();
    await renew(this.#authority, this.#nowMs, [account]);
  }

  doubtLimits(): void {
    for (const lease of this.#leases()) lease.doubtLimit();
  }

  async tend(): Promise<void> {
    const accounts = this.#accounts;
    await renew(this.#authority, this.#nowMs, accounts.values());
    await close(this.#authority, this.#nowMs, { accounts, closing: this.#closing });
  }

  async stop(): Promise<void> {
    for (const lease of this.#leases()) lease.giveBack(lease.available);
    await this.tend();
  }

  get openCount(): number {
    return this.#open.size;
  }

  get leases(): { readonly count: number; readonly ageMsMax: number } {
    const nowMs = this.#nowMs();
    let count = 0;
    let ageMsMax = 0;
    for (const lease of this.#leases()) {
      count += 1;
      if (lease.isInUse) ageMsMax = Math.max(ageMsMax, lease.answerAgeMs(nowMs));
    }
    return { count, ageMsMax };
  }

  *#leases(): Generator<Lease> {
    for (const account of this.#accounts.values()) yield* account.all;
  }

  #accountOf([first]: readonly Budget[]): AccountLeases {
    assert(first, 'a request has a budget');
    const known = this.#accounts.get(first.accountId);
    if (known) return known;
    if (this.#accounts.size >= accountsMax) throw new Fault('unavailable', { retryAfterSeconds });
    const nextNumber = () => (this.#numbers += 1n);
    const account = new AccountLeases(this.#authority, this.#nowMs, nextNumber);
    this.#accounts.set(first.accountId, account);
    return account;
  }

  #scarcest(
    budgets: readonly Budget[],
    at: Date,
    amountOf: (lease: Lease, left: bigint) => bigint,
  ): bigint | undefined {
    const account = this.#accountOf(budgets);
    let least = amountNanoUsdMax;
    for (const budget of budgets) {
      const lease = account.lease(budget, at);
      if (!lease.isKnown) return undefined;
      const { left } = lease;
      if (left === undefined) continue;
      const amount = amountOf(lease, left);
      if (amount < least) least = amount;
    }
    return least;
  }

  #close(hold: Hold, costs: Amounts): void {
    assert(hold instanceof OpenHold && this.#open.delete(hold), 'a hold is ended once');
    const nowMs = this.#nowMs();
    hold.leases.forEach((lease, index) =>
      lease.settle(hold.amountAt(index), amountAt(costs, index), nowMs),
    );
    const [first] = hold.leases;
    if (first) this.#accounts.get(first.budget.accountId)?.wake();
  }
}

/** The first that is used up, else the first that is merely short here, which can be asked; undefined: all have it. */
function shortOf(leases: readonly Lease[], amounts: Amounts, nowMs: number): Shortage | undefined {
  let first: Shortage | undefined;
  let index = 0;
  for (const lease of leases) {
    const amount = amountAt(amounts, index++);
    if (lease.fits(amount, nowMs)) continue;
    if (lease.isEmpty) return new Shortage(lease, amount);
    first ??= new Shortage(lease, amount);
  }
  return first;
}
