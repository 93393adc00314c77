/**
 * Measures the age of the oldest event that a read model does not show yet. Positions are sparse, so their difference
 * says nothing; time does. While it is unknown which events wait, the age of that ignorance counts, so that a
 * projection that cannot go on has a lag that grows.
 */
export class Lag {
  /** A reading of the monotonic clock: the wall clock may be set while a projection cannot go on. */
  #behindSinceMs: number | undefined;

  /** Marks the lag as unknown: the projector has just begun, or is cut off. */
  unknown(): void {
    this.#behindSinceMs ??= performance.now();
  }

  /** The oldest event that is not applied, or the last that was while more are to come. */
  behind(recordedAt: Date): void {
    // The clock of the event store may be ahead of ours.
    const ageMs = Math.max(0, Date.now() - recordedAt.getTime());
    this.#behindSinceMs = performance.now() - ageMs;
  }

  /** Everything that was delivered is applied, or another process takes care of it. */
  none(): void {
    this.#behindSinceMs = undefined;
  }

  seconds(): number {
    if (this.#behindSinceMs === undefined) return 0;
    return (performance.now() - this.#behindSinceMs) / 1_000;
  }
}
