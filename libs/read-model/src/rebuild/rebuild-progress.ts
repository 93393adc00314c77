import type { Position } from '@sluice/es';

export interface RebuildProgress {
  /** Applied since the beginning. */
  readonly events: number;
  /** The rate since the last report. */
  readonly eventsPerSecond: number;
  /** Undefined where there is nothing left to estimate from. */
  readonly etaSeconds: number | undefined;
}

const reportIntervalMs = 1_000;

/**
 * Counts and reports, once a second. The estimate takes positions as distances in the log: what lies
 * between the start and where the live projection stood, at the pace so far.
 */
export class ProgressReport {
  events = 0;
  readonly #target: Position;
  readonly #report: (progress: RebuildProgress) => void;
  readonly #startedMs = performance.now();
  #reportedMs = this.#startedMs;
  #reportedEvents = 0;

  constructor(target: Position, report: (progress: RebuildProgress) => void) {
    this.#target = target;
    this.#report = report;
  }

  applied(events: number, position: Position): void {
    this.events += events;
    const nowMs = performance.now();
    const sinceMs = nowMs - this.#reportedMs;
    if (sinceMs < reportIntervalMs) return;
    this.#report({
      events: this.events,
      eventsPerSecond: ((this.events - this.#reportedEvents) * 1_000) / sinceMs,
      etaSeconds: this.#etaSeconds(nowMs, position),
    });
    this.#reportedMs = nowMs;
    this.#reportedEvents = this.events;
  }

  #etaSeconds(nowMs: number, position: Position): number | undefined {
    const done = Number(position.commit) / Number(this.#target.commit);
    if (!(done > 0 && done < 1)) return undefined;
    return (((nowMs - this.#startedMs) / done) * (1 - done)) / 1_000;
  }
}
