import type { Percentiles } from '../selection/order.ts';

const samplesMax = 256;
const ageMsMax = 300_000;
/** The time after which percentiles are computed again. */
const freshMs = 1_000;

/** The last measurements of five minutes, at most 256 of them. */
export class Samples {
  readonly #values = new Float64Array(samplesMax);
  readonly #times = new Float64Array(samplesMax);
  #count = 0;
  #known: { readonly atMs: number; readonly percentiles: Percentiles | undefined } | undefined;

  add(value: number, nowMs: number): void {
    const index = this.#count % samplesMax;
    this.#values[index] = value;
    this.#times[index] = nowMs;
    this.#count += 1;
  }

  /** Returns undefined if there are no recent measurements. */
  percentiles(nowMs: number): Percentiles | undefined {
    if (!this.#known || nowMs - this.#known.atMs >= freshMs)
      this.#known = { atMs: nowMs, percentiles: this.#measure(nowMs) };
    return this.#known.percentiles;
  }

  #measure(nowMs: number): Percentiles | undefined {
    const recent = this.#values
      .subarray(0, Math.min(this.#count, samplesMax))
      .filter((_, index) => nowMs - (this.#times[index] ?? 0) <= ageMsMax)
      .toSorted();
    if (recent.length === 0) return undefined;
    const at = (share: number) =>
      recent[Math.min(recent.length - 1, Math.floor(share * recent.length))] ?? 0;
    return { p50: at(0.5), p75: at(0.75), p90: at(0.9), p99: at(0.99) };
  }
}
