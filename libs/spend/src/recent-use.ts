import { maximum } from './grant.ts';

const seconds = 5;
const secondMs = 1_000;
const minutes = 5;
const minuteMs = 60_000;
const minutesAhead = 20n;
/** The cost of one short use is not taken for the cost of every moment. */
const firstUseMsMin = 10_000;
/** The largest hold stays the measure of what is usual for this time. */
const usualMs = 60_000;

interface Minute {
  number: number;
  spent: bigint;
  /** The largest hold. */
  hold: bigint;
  /** The most that was held at one time. */
  peak: bigint;
}

interface Second {
  peak: bigint;
  spent: bigint;
  sharers: number;
}

/** Returns the minute before the last five. */
function firstMinute(nowMs: number): number {
  return Math.floor(nowMs / minuteMs) - minutes;
}

/** Follows the recent use of a lease, to know what it should have in hand. */
export class RecentUse {
  readonly #seconds: Second[] = Array.from({ length: seconds }, () => ({
    peak: 0n,
    spent: 0n,
    sharers: 0,
  }));
  readonly #minutes: Minute[] = Array.from({ length: minutes }, () => ({
    number: -Infinity,
    spent: 0n,
    hold: 0n,
    peak: 0n,
  }));
  #firstMs = Infinity;
  #now = -Infinity;
  #usual = 0n;
  #usualAtMs = -Infinity;
  #lastMs = -Infinity;

  /** A hold that is wanted, whether or not it fits. */
  expect(amountNanoUsd: bigint, nowMs: number): void {
    this.#lastMs = nowMs;
    const minute = this.#minute(nowMs);
    minute.hold = maximum(minute.hold, amountNanoUsd);
    if (amountNanoUsd < this.usual(nowMs)) return;
    this.#usual = amountNanoUsd;
    this.#usualAtMs = nowMs;
  }

  held(allNanoUsd: bigint, nowMs: number): void {
    const second = this.#second(nowMs);
    second.peak = maximum(second.peak, allNanoUsd);
    const minute = this.#minute(nowMs);
    minute.peak = maximum(minute.peak, allNanoUsd);
  }

  /** Notes how many requests share the lease at one time. */
  shared(requests: number, nowMs: number): void {
    const second = this.#second(nowMs);
    second.sharers = Math.max(second.sharers, requests);
  }

  spent(costNanoUsd: bigint, nowMs: number): void {
    this.#second(nowMs).spent += costNanoUsd;
    if (costNanoUsd <= 0n) return;
    this.#firstMs = Math.min(this.#firstMs, nowMs);
    this.#minute(nowMs).spent += costNanoUsd;
  }

  /**
   * Returns twice the most that was held at one time in the last five minutes, and what lasts for twenty minutes at
   * the pace of the most expensive of them. In the first minute of use the pace is that of all use. A lease asks for
   * more when half of it is gone, so half lasts for ten minutes without the authority. 0: nothing was spent.
   */
  ahead(nowMs: number): bigint {
    const dearest = this.#mostOf('spent', nowMs);
    if (dearest === 0n) return 0n;
    const usedMs = Math.max(firstUseMsMin, nowMs - this.#firstMs);
    const spend =
      usedMs >= minuteMs
        ? dearest * minutesAhead
        : (this.#spentInAll(nowMs) * minutesAhead * BigInt(minuteMs)) / BigInt(Math.ceil(usedMs));
    const held = maximum(this.#mostOf('hold', nowMs), this.#mostOf('peak', nowMs));
    return 2n * held + spend;
  }

  /** The most that was held at one time in the last five seconds. */
  peak(nowMs: number): bigint {
    this.#second(nowMs);
    let highest = 0n;
    for (const { peak } of this.#seconds) if (peak > highest) highest = peak;
    return highest;
  }

  /** Returns the most requests that shared the lease at one time in the last five seconds. */
  sharers(nowMs: number): number {
    this.#second(nowMs);
    let most = 0;
    for (const { sharers } of this.#seconds) if (sharers > most) most = sharers;
    return most;
  }

  /** All that was spent in the last five seconds. */
  spend(nowMs: number): bigint {
    this.#second(nowMs);
    let sum = 0n;
    for (const { spent } of this.#seconds) if (spent > 0n) sum += spent;
    return sum;
  }

  /** The largest hold of the last minute: no less than 99 of 100. */
  usual(nowMs: number): bigint {
    return nowMs - this.#usualAtMs > usualMs ? 0n : this.#usual;
  }

  /** When something was held or wanted last. */
  get lastMs(): number {
    return this.#lastMs;
  }

  #mostOf(what: 'spent' | 'hold' | 'peak', nowMs: number): bigint {
    const from = firstMinute(nowMs);
    let most = 0n;
    for (const minute of this.#minutes)
      if (minute.number > from && minute[what] > most) most = minute[what];
    return most;
  }

  /** Returns the spend of all minutes: use of less than a minute may lie in two minutes of the clock. */
  #spentInAll(nowMs: number): bigint {
    const from = firstMinute(nowMs);
    let sum = 0n;
    for (const { number, spent } of this.#minutes) if (number > from) sum += spent;
    return sum;
  }

  #minute(nowMs: number): Minute {
    const number = Math.floor(nowMs / minuteMs);
    const minute = this.#minutes[((number % minutes) + minutes) % minutes] as Minute;
    if (minute.number !== number) Object.assign(minute, { number, spent: 0n, hold: 0n, peak: 0n });
    return minute;
  }

  #second(nowMs: number): Second {
    const now = Math.floor(nowMs / secondMs);
    const passed = Math.min(seconds, Math.max(0, now - this.#now));
    if (now > this.#now) this.#now = now;
    for (let back = 0; back < passed; back += 1) {
      const second = this.#slot(this.#now - back);
      second.peak = 0n;
      second.spent = 0n;
      second.sharers = 0;
    }
    return this.#slot(this.#now);
  }

  #slot(second: number): Second {
    return this.#seconds[((second % seconds) + seconds) % seconds] as Second;
  }
}
