import { createHistogram } from 'node:perf_hooks';

/** Latencies in milliseconds. The figures are NaN if none was recorded. */
export interface Latencies {
  readonly count: number;
  readonly leastMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly mostMs: number;
}

const microsecondsMax = 2 ** 31 - 1;

/** Records latencies, in memory that does not grow with their number. */
export class LatencyRecorder {
  readonly #histogram = createHistogram({ highest: microsecondsMax, figures: 3 });

  record(milliseconds: number): void {
    const microseconds = Math.round(milliseconds * 1_000);
    this.#histogram.record(Math.min(microsecondsMax, Math.max(1, microseconds)));
  }

  result(): Latencies {
    const { count, min, max } = this.#histogram;
    const ms = (microseconds: number) => (count === 0 ? Number.NaN : microseconds / 1_000);
    const atMs = (percent: number) => ms(this.#histogram.percentile(percent));
    return { count, leastMs: ms(min), p50Ms: atMs(50), p99Ms: atMs(99), mostMs: ms(max) };
  }
}
