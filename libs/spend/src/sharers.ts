import type { RecentUse } from './recent-use.ts';

/** Counts the requests that share a lease. */
export class Sharers {
  readonly #recent: RecentUse;
  #running = 0;
  #entering = 0;

  constructor(recent: RecentUse) {
    this.#recent = recent;
  }

  /** Requests that hold something of it. */
  get running(): number {
    return this.#running;
  }

  /** Requests that are being admitted. */
  get entering(): number {
    return this.#entering;
  }

  enter(nowMs: number): void {
    this.#entering += 1;
    this.#recent.shared(this.#running + this.#entering, nowMs);
  }

  leave(): void {
    this.#entering -= 1;
  }

  begin(nowMs: number): void {
    this.#running += 1;
    this.#recent.shared(this.#running, nowMs);
  }

  end(): void {
    this.#running -= 1;
  }

  /** Returns how many there are, or as many as there were at once in the last seconds. */
  count(nowMs: number): number {
    return Math.max(this.#running + this.#entering, this.#recent.sharers(nowMs));
  }
}
