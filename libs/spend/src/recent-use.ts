import { maximum } from './grant.ts';

const seconds = 5;
const secondMs = 1_000;
/** How long the largest hold stays the measure of what is usual. */
const usualMs = 60_000;

interface Second {
  peak: bigint;
  spent: bigint;
  sharers: number;
}

/** How a lease was used lately: what it should have in hand. */
export class RecentUse {
  readonly #seconds: Second[] = Array.from({ length: seconds }, () => ({
    peak: 0n,
    spent: 0n,
    sharers: 0,
  }));
  #now = -Infinity;
  #usual = 0n;
  #usualAtMs = -Infinity;
  #lastMs = -Infinity;

  /** A hold that is wanted, whether or not it fits. */
  expect(amountNanoUsd: bigint, nowMs: number): void {
    this.#lastMs = nowMs;
    if (amountNanoUsd < this.usual(nowMs)) return;
    this.#usual = amountNanoUsd;
    this.#usualAtMs = nowMs;
  }

  held(allNanoUsd: bigint, nowMs: number): void {
    const second = this.#second(nowMs);
    second.peak = maximum(second.peak, allNanoUsd);
  }

  /** Notes how many requests share the lease at one time. */
  shared(requests: number, nowMs: number): void {
    const second = this.#second(nowMs);
    second.sharers = Math.max(second.sharers, requests);
  }

  spent(costNanoUsd: bigint, nowMs: number): void {
    this.#second(nowMs).spent += costNanoUsd;
  }

  /** The most that was held at one time in the last five seconds. */
  peak(nowMs: number): bigint {
    this.#second(nowMs);
    return this.#seconds.reduce((highest, { peak }) => maximum(highest, peak), 0n);
  }

  /** Returns the most requests that shared the lease at one time in the last five seconds. */
  sharers(nowMs: number): number {
    this.#second(nowMs);
    return this.#seconds.reduce((most, { sharers }) => Math.max(most, sharers), 0);
  }

  /** All that was spent in the last five seconds. */
  spend(nowMs: number): bigint {
    this.#second(nowMs);
    return this.#seconds.reduce((sum, { spent }) => sum + spent, 0n);
  }

  /** The largest hold of the last minute: no less than 99 of 100. */
  usual(nowMs: number): bigint {
    return nowMs - this.#usualAtMs > usualMs ? 0n : this.#usual;
  }

  /** When something was held or wanted last. */
  get lastMs(): number {
    return this.#lastMs;
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
