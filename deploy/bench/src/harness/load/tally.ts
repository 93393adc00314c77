import { Histogram, type HistogramSlots } from '../histogram.ts';

/** The result of one load run. */
export interface LoadResult {
  /** Requests that were answered as expected, to the last byte. */
  readonly answered: number;
  /** The answered requests whose last byte came while requests were still being sent. */
  readonly answeredInTime: number;
  /** The time during which requests were sent. */
  readonly sendingMs: number;
  /** Answers that were not as expected, and requests without any, by what was wrong. */
  readonly faults: Readonly<Record<string, number>>;
  /** Until the last byte. Of an open loop: from when the request was due. */
  readonly latencies: HistogramSlots;
  /** Until the first piece of text of a stream. */
  readonly firstDeltas: HistogramSlots;
  /** Latency of refusals that ask the client to retry later. They also count as faults. */
  readonly refusals: HistogramSlots;
  /** In an open loop, the time from when a request could be sent until it was sent. No latency includes it. */
  readonly lateness: HistogramSlots;
}

const faultKindsMax = 20;

/** Counts while a run goes on; its memory has a bound. */
export class Tally {
  answered = 0;
  answeredInTime = 0;
  readonly #faults = new Map<string, number>();
  readonly #latencies = new Histogram();
  readonly #firstDeltas = new Histogram();
  readonly #refusals = new Histogram();
  readonly #lateness = new Histogram();

  latency(milliseconds: number): void {
    this.#latencies.record(milliseconds * 1_000);
  }

  firstDelta(milliseconds: number): void {
    this.#firstDeltas.record(milliseconds * 1_000);
  }

  refusal(milliseconds: number): void {
    this.#refusals.record(milliseconds * 1_000);
  }

  late(milliseconds: number): void {
    this.#lateness.record(milliseconds * 1_000);
  }

  fault(kind: string, count = 1): void {
    const isKnown = this.#faults.has(kind) || this.#faults.size < faultKindsMax;
    const told = isKnown ? kind : 'other';
    this.#faults.set(told, (this.#faults.get(told) ?? 0) + count);
  }

  result(sendingMs: number): LoadResult {
    return {
      answered: this.answered,
      answeredInTime: this.answeredInTime,
      sendingMs,
      faults: Object.fromEntries(this.#faults),
      latencies: this.#latencies.slots(),
      firstDeltas: this.#firstDeltas.slots(),
      refusals: this.#refusals.slots(),
      lateness: this.#lateness.slots(),
    };
  }
}
