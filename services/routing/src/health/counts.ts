/** Successes and failures of the last slots of time, in constant memory. */
export class Counts {
  readonly #slotMs: number;
  readonly #stamps: Float64Array;
  readonly #successes: Uint32Array;
  readonly #failures: Uint32Array;

  constructor(slotMs: number, slots: number) {
    this.#slotMs = slotMs;
    this.#stamps = new Float64Array(slots).fill(-1);
    this.#successes = new Uint32Array(slots);
    this.#failures = new Uint32Array(slots);
  }

  add(isSuccess: boolean, nowMs: number): void {
    const stamp = Math.floor(nowMs / this.#slotMs);
    const index = stamp % this.#stamps.length;
    if (this.#stamps[index] !== stamp) {
      this.#stamps[index] = stamp;
      this.#successes[index] = 0;
      this.#failures[index] = 0;
    }
    const counts = isSuccess ? this.#successes : this.#failures;
    counts[index] = (counts[index] ?? 0) + 1;
  }

  /** Sums the last slots, with the current one. */
  sum(slots: number, nowMs: number): { readonly successes: number; readonly failures: number } {
    const newest = Math.floor(nowMs / this.#slotMs);
    let successes = 0;
    let failures = 0;
    for (let stamp = Math.max(0, newest - slots + 1); stamp <= newest; stamp += 1) {
      const index = stamp % this.#stamps.length;
      if (this.#stamps[index] !== stamp) continue;
      successes += this.#successes[index] ?? 0;
      failures += this.#failures[index] ?? 0;
    }
    return { successes, failures };
  }
}
