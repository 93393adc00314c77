import assert from 'node:assert/strict';
import { amountNanoUsdMax } from '@sluice/amounts';
import type { LeaseAnswer, LeaseRequest } from './authority.ts';
import { type Budget, budgetWindow, type Window } from './budget.ts';
import { aheadNanoUsd, maximum, minimum, roomNanoUsd } from './grant.ts';
import {
  availableNanoUsd,
  isClear,
  isUnsettled,
  type LeaseEvent,
  type LeaseState,
  noLease,
  roomAtAuthorityNanoUsd,
  stepLease,
} from './lease-state.ts';
import { RecentUse } from './recent-use.ts';
import { Sharers } from './sharers.ts';

/** The lease admits nothing on an older answer, unless it has money for it. */
const answerAgeMsMax = 5_000;

/** The low mark of a lease follows its use after this time, and at once when more is held. */
const markMs = 50;

/**
 * The amount that this replica may spend of one budget without a question. `stepLease` keeps its books, `RecentUse`
 * says how much it should have in hand.
 */
export class Lease {
  readonly number: bigint;
  readonly window: Window;
  readonly sharers: Sharers;
  readonly #recent = new RecentUse();
  #budget: Budget;
  #state: LeaseState = noLease;
  #mark = 0n;
  #markedAtMs = -Infinity;
  #markedHeld = 0n;

  constructor(number: bigint, budget: Budget, at: Date) {
    this.number = number;
    this.#budget = budget;
    this.window = budgetWindow(budget, at);
    this.sharers = new Sharers(this.#recent);
  }

  get budget(): Budget {
    return this.#budget;
  }

  /** True if its window has the instant. */
  isAt(at: Date): boolean {
    const { start, end } = this.window;
    return at >= start && (end === undefined || at < end);
  }

  /** Takes the newest limit that this replica knows. The authority may not know it yet. */
  update(budget: Budget): void {
    this.#budget = budget;
  }

  /** The amount that a hold could take now. Negative if usage cost more than was held for it. */
  get available(): bigint {
    return availableNanoUsd(this.#state);
  }

  /** The amount that running requests hold. */
  get held(): bigint {
    return this.#state.heldNanoUsd;
  }

  /** The rest of the budget, here and at the authority. undefined: the budget has no cap. */
  get left(): bigint | undefined {
    const room = roomAtAuthorityNanoUsd(this.#state);
    if (room === undefined && this.isKnown) return undefined;
    return maximum(0n, this.available) + maximum(0n, room ?? 0n);
  }

  /** True if the authority has answered. */
  get isKnown(): boolean {
    return this.#state.known !== undefined;
  }

  /** The part of the budget that was out on other leases when the authority answered. */
  get elsewhere(): bigint {
    return this.#state.known?.elsewhereNanoUsd ?? 0n;
  }

  /** True if all of the limit was spent and counted when the authority answered. */
  get isSpent(): boolean {
    const { known } = this.#state;
    return known?.limitNanoUsd !== undefined && known.settledNanoUsd >= known.limitNanoUsd;
  }

  /** True if something of it can be spent without a question, or is held. */
  get isInUse(): boolean {
    return this.available > 0n || this.held > 0n;
  }

  /** True if a hold fits. A hold of 0 fits on a recent answer, or while money is available. */
  fits(amountNanoUsd: bigint, nowMs: number): boolean {
    const { known } = this.#state;
    if (!known || amountNanoUsd > this.available) return false;
    if (this.available <= 0n && nowMs - known.newsAtMs > answerAgeMsMax) return false;
    const { limitNanoUsd, settledNanoUsd } = known;
    // An overdrawn budget admits nothing, not even a free request.
    return limitNanoUsd === undefined || settledNanoUsd <= limitNanoUsd;
  }

  hold(amountNanoUsd: bigint, nowMs: number): void {
    this.#apply({ type: 'held', amountNanoUsd });
    this.sharers.begin(nowMs);
    this.#recent.expect(amountNanoUsd, nowMs);
    this.#recent.held(this.held, nowMs);
  }

  /** Ends a hold at its cost. 0: nothing was spent. */
  settle(amountNanoUsd: bigint, costNanoUsd: bigint, nowMs: number): void {
    assert(this.#state.openHolds > 0, 'a hold is settled or released once');
    this.#apply({ type: 'settled', amountNanoUsd, costNanoUsd });
    this.sharers.end();
    this.#recent.spent(costNanoUsd, nowMs);
  }

  /** Reserves a part of an answer for the requests that waited for it. */
  promise(amountNanoUsd: bigint): void {
    this.#apply({ type: 'promised', amountNanoUsd });
  }

  /** Frees that part for a request that is about to take it. */
  redeem(amountNanoUsd: bigint): void {
    this.#apply({ type: 'redeemed', amountNanoUsd });
  }

  /** Notes a hold that is wanted, whether or not it fits. */
  expect(amountNanoUsd: bigint, nowMs: number): void {
    this.#recent.expect(amountNanoUsd, nowMs);
  }

  /** Gives back at most what is available. */
  giveBack(amountNanoUsd: bigint): void {
    this.#apply({ type: 'given-back', amountNanoUsd });
  }

  /** Returns the question for holds of this sum that wait. A renewal asks for no more money. */
  request(waitingNanoUsd: bigint, nowMs: number, more: 'refill' | 'renew'): LeaseRequest {
    const { accountId, scopeKind, scopeId, interval, limitNanoUsd, includeByok } = this.#budget;
    const { grantedNanoUsd, returnedNanoUsd, promisedNanoUsd } = this.#state;
    const bounded = (amount: bigint) => minimum(amountNanoUsdMax, maximum(0n, amount));
    const need = waitingNanoUsd + promisedNanoUsd - this.available;
    const wanted = need + this.target(nowMs);
    const windowStart = this.window.start.toISOString();
    return {
      number: this.number,
      budget: { accountId, scopeKind, scopeId, windowKind: interval ?? 'lifetime', windowStart },
      grantedNanoUsd,
      returnedNanoUsd,
      needNanoUsd: more === 'renew' ? 0n : bounded(need),
      wantedNanoUsd: more === 'renew' ? 0n : bounded(wanted),
      usualHoldNanoUsd: bounded(this.#recent.usual(nowMs)),
      limitNanoUsd,
      includeByok,
      close: false,
      heldNanoUsd: bounded(this.held),
    };
  }

  /** Returns the question that ends the lease. */
  closing(nowMs: number): LeaseRequest {
    return { ...this.request(0n, nowMs, 'renew'), close: true };
  }

  /** Takes the answer to a question. */
  take(request: LeaseRequest, answer: LeaseAnswer, replicas: bigint, nowMs: number): void {
    const { returnedNanoUsd } = request;
    this.#apply({ type: 'answered', answer, replicas, returnedNanoUsd, atMs: nowMs });
  }

  /** Notes that the limit may have changed since the last answer. */
  doubtLimit(): void {
    this.#apply({ type: 'limit-doubted' });
  }

  /** Notes that a call failed: the authority may have granted an amount that is not known here. */
  doubtGrant(): void {
    this.#apply({ type: 'call-failed' });
  }

  /** The limit that the authority goes by. */
  get limitNanoUsd(): bigint | undefined {
    const { known } = this.#state;
    return known ? known.limitNanoUsd : this.#budget.limitNanoUsd;
  }

  /** True if the authority had nothing left when it answered, and the answer is recent. */
  isKnownEmpty(nowMs: number, newsMs: number): boolean {
    return this.isEmpty && !this.isBehind && this.ageMs(nowMs) <= newsMs;
  }

  /** True if the authority goes by a lower limit than this replica knows: the limit may have been raised. */
  get isBehind(): boolean {
    const newest = this.#budget.limitNanoUsd;
    const limit = this.#state.known?.limitNanoUsd;
    return newest !== undefined && limit !== undefined && limit < newest;
  }

  /** True if the authority had nothing left when it answered, and got nothing back from here since. */
  get isEmpty(): boolean {
    const room = roomAtAuthorityNanoUsd(this.#state);
    return room !== undefined && room <= 0n;
  }

  /**
   * Returns the amount that the lease should have in hand: a usual hold, enough to hold twice as much as in the last
   * seconds while as much is spent (otherwise a burst would wait for one answer), and what an outage needs.
   */
  target(nowMs: number): bigint {
    const spare = maximum(0n, 2n * this.#recent.peak(nowMs) - this.held);
    const soon = maximum(this.#recent.usual(nowMs), spare + this.#recent.spend(nowMs));
    return maximum(soon, this.#recent.ahead(nowMs));
  }

  /** True if half of the target is gone, and the authority has enough to grant ahead of need. */
  isLow(nowMs: number): boolean {
    return 2n * this.available < this.#lowMark(nowMs);
  }

  /** Returns the target within what the authority would grant ahead: to work it out takes longer than a hold. */
  #lowMark(nowMs: number): bigint {
    const isNews = this.held > this.#markedHeld || nowMs - this.#markedAtMs >= markMs;
    if (isNews) {
      const ahead = this.#aheadNanoUsd(nowMs);
      this.#mark = ahead > 0n ? minimum(ahead, this.target(nowMs)) : 0n;
      this.#markedAtMs = nowMs;
      this.#markedHeld = this.held;
    }
    return this.#mark;
  }

  /** Returns the amount beyond the target. All of it, if too little is left to grant ahead of need. */
  surplus(nowMs: number): bigint {
    const available = maximum(0n, this.available);
    const target = minimum(this.target(nowMs), this.#aheadNanoUsd(nowMs));
    return available > 2n * target ? available - target : 0n;
  }

  get isUnsettled(): boolean {
    return isUnsettled(this.#state);
  }

  /** Returns the age of the last answer. Infinity if the limit may have changed since. */
  ageMs(nowMs: number): number {
    return nowMs - (this.#state.known?.newsAtMs ?? -Infinity);
  }

  /** Returns the age of the last answer. 0 before the first. */
  answerAgeMs(nowMs: number): number {
    return nowMs - (this.#state.known?.answeredAtMs ?? nowMs);
  }

  isIdle(nowMs: number, idleMs: number): boolean {
    return this.#state.openHolds === 0 && nowMs - this.#recent.lastMs > idleMs;
  }

  get isClear(): boolean {
    return isClear(this.#state);
  }

  #apply(event: LeaseEvent): void {
    this.#state = stepLease(this.#state, event);
  }

  /** Returns what the authority would grant ahead of need. 0 if that is less than a usual hold. */
  #aheadNanoUsd(nowMs: number): bigint {
    const { known } = this.#state;
    if (!known) return 0n;
    const room = roomNanoUsd(known);
    if (room === undefined) return amountNanoUsdMax;
    const ahead = aheadNanoUsd(maximum(0n, room), known.replicas);
    return ahead < this.#recent.usual(nowMs) ? 0n : ahead;
  }
}
