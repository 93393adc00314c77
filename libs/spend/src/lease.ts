import assert from 'node:assert/strict';
import type { LeaseAnswer, LeaseRequest } from './authority.ts';
import { type Budget, budgetWindow, type Window } from './budget.ts';
import { aheadNanoUsd, maximum, minimum, roomNanoUsd } from './grant.ts';
import { RecentUse } from './recent-use.ts';
import { Sharers } from './sharers.ts';

/** Above it the authority takes an amount for absurd. */
const amountMax = 9_007_199_254_740_992n;

/** Nothing is admitted on an answer that is older, unless money of a lease is there for it. */
const answerAgeMsMax = 5_000;
interface Known extends LeaseAnswer {
  readonly replicas: bigint;
  readonly answeredAtMs: number;
  /** What this lease had given back when the authority answered. */
  readonly returnedNanoUsd: bigint;
  /** What was leased of the budget to other leases. */
  readonly elsewhereNanoUsd: bigint;
  /** As answeredAtMs, until something says that it is no news any more. */
  readonly atMs: number;
}

/**
 * What this replica may spend of one budget without asking. All its figures only ever grow, except what
 * is held; what it owes the authority is granted - returned, what it has left is that less held and
 * spent. Spent is never given back: the ledger takes it off the lease when it counts the usage.
 */
export class Lease {
  readonly number: bigint;
  readonly window: Window;
  readonly #recent = new RecentUse();
  readonly sharers = new Sharers(this.#recent);
  #budget: Budget;
  #granted = 0n;
  #returned = 0n;
  #held = 0n;
  #spent = 0n;
  /** Of what is available, for those who waited for it and have yet to take it. */
  #promised = 0n;
  #known: Known | undefined;
  #toldReturned = 0n;
  #isUnsure = false;
  /** More was leased than a lowered limit allows: what comes free goes back. */
  #debt = 0n;

  constructor(number: bigint, budget: Budget, at: Date) {
    this.number = number;
    this.#budget = budget;
    this.window = budgetWindow(budget, at);
  }

  get budget(): Budget {
    return this.#budget;
  }

  /** The newest that is known here of the limit, for when the authority has not heard of it. */
  hear(budget: Budget): void {
    this.#budget = budget;
  }

  /** What a hold could take now; negative when usage cost more than was held for it. */
  get available(): bigint {
    return this.#granted - this.#returned - this.#held - this.#spent;
  }

  /** What running requests hold. */
  get held(): bigint {
    return this.#held;
  }

  /** What is left of the budget here and at the authority, as far as is known here; undefined: no cap. */
  get left(): bigint | undefined {
    const room = this.#room();
    if (room === undefined && this.#known) return undefined;
    return maximum(0n, this.available) + maximum(0n, room ?? 0n);
  }

  /** True: the authority has answered. */
  get isKnown(): boolean {
    return this.#known !== undefined;
  }

  /** What was leased of the budget to other leases when the authority answered. */
  get elsewhere(): bigint {
    return this.#known?.elsewhereNanoUsd ?? 0n;
  }

  /** True: all of the limit was spent and counted when the authority answered. */
  get isSpent(): boolean {
    const known = this.#known;
    return known?.limitNanoUsd !== undefined && known.settledNanoUsd >= known.limitNanoUsd;
  }

  /** Something of it can be spent without asking, or is held. */
  get isInUse(): boolean {
    return this.available > 0n || this.#held > 0n;
  }

  /** What costs nothing fits as well, on an answer that is news or on money that is there. */
  fits(amountNanoUsd: bigint, nowMs: number): boolean {
    const known = this.#known;
    if (!known || amountNanoUsd > this.available) return false;
    if (this.available <= 0n && nowMs - known.atMs > answerAgeMsMax) return false;
    const { limitNanoUsd, settledNanoUsd } = known;
    // Who has overdrawn gets nothing, not even what is free.
    return limitNanoUsd === undefined || settledNanoUsd <= limitNanoUsd;
  }

  hold(amountNanoUsd: bigint, nowMs: number): void {
    this.#held += amountNanoUsd;
    this.sharers.begin(nowMs);
    this.#recent.expect(amountNanoUsd, nowMs);
    this.#recent.held(this.#held, nowMs);
  }

  /** What an answer brought is for those who waited, not for those who ask next. */
  promise(amountNanoUsd: bigint): void {
    this.#promised += amountNanoUsd;
  }

  /** Whoever waited is about to take it. */
  redeem(amountNanoUsd: bigint): void {
    this.#promised -= amountNanoUsd;
  }

  expect(amountNanoUsd: bigint, nowMs: number): void {
    this.#recent.expect(amountNanoUsd, nowMs);
  }

  /** A hold ends at what it cost; 0: nothing was spent. */
  settle(amountNanoUsd: bigint, costNanoUsd: bigint, nowMs: number): void {
    assert(this.sharers.running > 0, 'a hold is settled or released once');
    this.sharers.end();
    this.#held -= amountNanoUsd;
    this.#spent += costNanoUsd;
    this.#recent.spent(costNanoUsd, nowMs);
    this.#payDebt();
  }

  giveBack(amountNanoUsd: bigint): void {
    if (amountNanoUsd > 0n) this.#returned += minimum(amountNanoUsd, maximum(0n, this.available));
  }

  /** What to ask, for holds of this sum that wait. Renewing: nothing more is asked for. */
  request(waitingNanoUsd: bigint, nowMs: number, more: 'refill' | 'renew'): LeaseRequest {
    const { accountId, scopeKind, scopeId, interval, limitNanoUsd, includeByok } = this.#budget;
    const bounded = (amount: bigint) => minimum(amountMax, maximum(0n, amount));
    const need = waitingNanoUsd + this.#promised - this.available;
    const wanted = need + this.target(nowMs);
    const start = this.window.start.toISOString();
    return {
      number: this.number,
      budget: {
        accountId,
        scopeKind,
        scopeId,
        windowKind: interval ?? 'lifetime',
        windowStart: start,
      },
      grantedNanoUsd: this.#granted,
      returnedNanoUsd: this.#returned,
      needNanoUsd: more === 'renew' ? 0n : bounded(need),
      wantedNanoUsd: more === 'renew' ? 0n : bounded(wanted),
      usualHoldNanoUsd: bounded(this.#recent.usual(nowMs)),
      limitNanoUsd,
      includeByok,
      close: false,
      heldNanoUsd: bounded(this.#held),
    };
  }

  closing(nowMs: number): LeaseRequest {
    return { ...this.request(0n, nowMs, 'renew'), close: true };
  }

  /** Takes an answer. When the limit was lowered, as much as is left here goes back at once. */
  take(request: LeaseRequest, answer: LeaseAnswer, replicas: bigint, nowMs: number): void {
    this.#granted = maximum(this.#granted, answer.grantedNanoUsd);
    this.#toldReturned = maximum(this.#toldReturned, request.returnedNanoUsd);
    this.#isUnsure = false;
    const { returnedNanoUsd } = request;
    const own = maximum(0n, answer.grantedNanoUsd - returnedNanoUsd - answer.countedNanoUsd);
    const elsewhereNanoUsd = maximum(0n, answer.leasedNanoUsd - own);
    const news = { replicas, answeredAtMs: nowMs, atMs: nowMs };
    this.#known = { ...answer, ...news, returnedNanoUsd, elsewhereNanoUsd };
    const room = roomNanoUsd(this.#state(this.#known));
    const onItsWay = this.#returned - request.returnedNanoUsd;
    this.#debt = room === undefined ? 0n : maximum(0n, -room - onItsWay);
    this.#payDebt();
  }

  /** What the authority said of the budget is no news any more. */
  doubtLimit(): void {
    if (this.#known) this.#known = { ...this.#known, atMs: -Infinity };
  }

  /** The limit that the authority goes by. */
  get limitNanoUsd(): bigint | undefined {
    return this.#known ? this.#known.limitNanoUsd : this.#budget.limitNanoUsd;
  }

  /** True: nothing was left when the authority was asked, and that is news still. */
  isKnownEmpty(nowMs: number, newsMs: number): boolean {
    if (!this.#known || this.isBehind || nowMs - this.#known.atMs > newsMs) return false;
    return this.isEmpty;
  }

  /** True: the authority goes by a lower limit than was heard of here: it may have been raised. */
  get isBehind(): boolean {
    const heard = this.#budget.limitNanoUsd;
    const limit = this.#known?.limitNanoUsd;
    return heard !== undefined && limit !== undefined && limit < heard;
  }

  /** True: the authority had nothing more to lease when it was asked, and got nothing back from here since. */
  get isEmpty(): boolean {
    const room = this.#room();
    return room !== undefined && room <= 0n;
  }

  /**
   * Returns the amount that should be left: a usual hold, enough to hold twice as much as in the last seconds
   * while as much is spent (when more come, they would all wait for one answer), and what an outage needs.
   */
  target(nowMs: number): bigint {
    const spare = maximum(0n, 2n * this.#recent.peak(nowMs) - this.#held);
    const soon = maximum(this.#recent.usual(nowMs), spare + this.#recent.spend(nowMs));
    return maximum(soon, this.#recent.ahead(nowMs));
  }

  /** Half of what it should have is gone, and the authority has enough to go ahead with. */
  isLow(nowMs: number): boolean {
    const ahead = this.#ahead(nowMs);
    return ahead > 0n && 2n * this.available < minimum(ahead, this.target(nowMs));
  }

  /** What it has beyond what it should; all of it when there is too little left to go ahead. */
  surplus(nowMs: number): bigint {
    const available = maximum(0n, this.available);
    const target = minimum(this.target(nowMs), this.#ahead(nowMs));
    return available > 2n * target ? available - target : 0n;
  }

  /** A call failed: the authority may have granted something that is not known here. */
  doubtGrant(): void {
    this.#isUnsure = true;
  }

  /** The authority may not know what was given back, or this replica what was granted. */
  get isUnsettled(): boolean {
    return this.#isUnsure || this.#returned > this.#toldReturned;
  }

  ageMs(nowMs: number): number {
    return this.#known ? nowMs - this.#known.atMs : Infinity;
  }

  /** How old the last answer is, whatever was heard since. */
  answerAgeMs(nowMs: number): number {
    return this.#known ? nowMs - this.#known.answeredAtMs : 0;
  }

  isIdle(nowMs: number, idleMs: number): boolean {
    return this.sharers.running === 0 && nowMs - this.#recent.lastMs > idleMs;
  }

  /** Nothing is out any more: all was given back or is counted. */
  get isClear(): boolean {
    if (this.sharers.running > 0) return false;
    return this.#granted - this.#returned - (this.#known?.countedNanoUsd ?? 0n) <= 0n;
  }

  #payDebt(): void {
    const before = this.#returned;
    this.giveBack(this.#debt);
    this.#debt -= this.#returned - before;
  }

  #ahead(nowMs: number): bigint {
    if (!this.#known) return 0n;
    const room = roomNanoUsd(this.#state(this.#known));
    if (room === undefined) return amountMax;
    const ahead = aheadNanoUsd(maximum(0n, room), this.#known.replicas);
    return ahead < this.#recent.usual(nowMs) ? 0n : ahead;
  }

  /** What the authority has left, with what went back since it said so. undefined: no cap, or no answer. */
  #room(): bigint | undefined {
    const known = this.#known;
    const room = known && roomNanoUsd(this.#state(known));
    return room === undefined || !known
      ? undefined
      : room + maximum(0n, this.#returned - known.returnedNanoUsd);
  }

  #state({ limitNanoUsd, settledNanoUsd, leasedNanoUsd }: LeaseAnswer) {
    return { limitNanoUsd, settledNanoUsd, leasedNanoUsd };
  }
}
