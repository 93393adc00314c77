import { type Latencies, LatencyRecorder } from '../latencies.ts';

/** The result of one load run. */
export interface LoadResult {
  /** Requests that were answered as expected, to the last byte. */
  readonly answered: number;
  /** The answered requests whose last byte came while requests were still being sent. */
  readonly answeredInTime: number;
  /** The requests that were sent in this time: fewer than were due if the load could not keep up. */
  readonly sentInTime: number;
  /** The time during which requests were sent. */
  readonly sendingMs: number;
  /** Answers that were not as expected, and requests without any, by what was wrong. */
  readonly faults: Readonly<Record<string, number>>;
  /** Until the last byte. Of an open loop: from when the request was due. */
  readonly latencies: Latencies;
  /** Until the first piece of text of a stream. */
  readonly firstDeltas: Latencies;
  /** Latency of refusals that ask the client to retry later. They also count as faults. */
  readonly refusals: Latencies;
  /** In an open loop, the time from when a request could be sent until it was sent. No latency includes it. */
  readonly lateness: Latencies;
}

const faultKindsMax = 20;

/** Counts while a run goes on; its memory has a bound. */
export class Tally {
  answered = 0;
  answeredInTime = 0;
  sentInTime = 0;
  readonly #faults = new Map<string, number>();
  readonly latencies = new LatencyRecorder();
  readonly firstDeltas = new LatencyRecorder();
  readonly refusals = new LatencyRecorder();
  readonly lateness = new LatencyRecorder();

  fault(kind: string, count = 1): void {
    const isKnown = this.#faults.has(kind) || this.#faults.size < faultKindsMax;
    const told = isKnown ? kind : 'other';
    this.#faults.set(told, (this.#faults.get(told) ?? 0) + count);
  }

  result(sendingMs: number): LoadResult {
    return {
      answered: this.answered,
      answeredInTime: this.answeredInTime,
      sentInTime: this.sentInTime,
      sendingMs,
      faults: Object.fromEntries(this.#faults),
      latencies: this.latencies.result(),
      firstDeltas: this.firstDeltas.result(),
      refusals: this.refusals.result(),
      lateness: this.lateness.result(),
    };
  }
}
