export interface Look {
  readonly nowMs: number;
  /** Facts that the ledger has not counted. */
  readonly size: number;
  /** Facts that it has counted since the start. */
  readonly counted: number;
  /** The age of the oldest fact that it has not counted; 0: there is none. */
  readonly oldestAgeMs: number;
}

/** A shorter backlog is counted soon, whatever the rate was a moment ago. */
const sizeMin = 250;
/** Longer than the time between two looks: the ledger had work all the time since the last one. */
const lateMs = 700;
/**
 * At this wait of a new fact, requests start as fast as the ledger counts. The bound begins there and ends with the
 * backlog. With shorter waits they start faster, with longer ones slower, and hardly any from the second on.
 */
const waitMsMin = 1_500;
const waitMsMax = 4_000;
/** The lowest bound: 10 requests a second. */
const startsPerMsLeast = 0.01;
/** A ledger that counts nothing for so long is away, not slow. The bound of the outbox holds for it. */
const awayMs = 5_000;
/** The weight of the newest rate. */
const gain = 0.5;

/**
 * Bounds the rate at which requests start while the ledger counts slower than facts come. The wait of a fact settles
 * where as many come as are counted, so a ledger that is starved is seconds behind and not minutes.
 */
export class Brake {
  #last: Pick<Look, 'nowMs' | 'counted'> | undefined;
  /** Nothing is bounded while no more facts wait: so many did when a ledger that was away came back. */
  #allowed = 0;
  #countedPerMs: number | undefined;
  #countedAtMs = 0;
  #isBehind = false;
  #startsPerMsMax: number | undefined;

  /** The number of requests that may start in a millisecond. Undefined: the ledger keeps up, or is away. */
  get startsPerMsMax(): number | undefined {
    return this.#startsPerMsMax;
  }

  /** Call it after each question to the ledger. */
  look({ nowMs, size, counted, oldestAgeMs }: Look): void {
    const last = this.#last;
    this.#last = { nowMs, counted };
    this.#startsPerMsMax = undefined;
    // Requests may wait for the bound: if a short backlog ended it, they would all start at once.
    if (oldestAgeMs < lateMs || (size < sizeMin && !this.#isBehind)) {
      this.#countedPerMs = undefined;
      this.#countedAtMs = nowMs;
      this.#allowed = 0;
      this.#isBehind = false;
      return;
    }
    const wasAway = nowMs - this.#countedAtMs > awayMs;
    if (last && counted > last.counted && nowMs > last.nowMs) {
      const perMs = (counted - last.counted) / (nowMs - last.nowMs);
      this.#countedPerMs ??= perMs;
      this.#countedPerMs += (perMs - this.#countedPerMs) * gain;
      this.#countedAtMs = nowMs;
      if (wasAway) this.#allowed = size;
    } else if (wasAway) return;
    if (this.#countedPerMs === undefined || size <= this.#allowed) return;
    const waitMs = size / this.#countedPerMs;
    this.#isBehind ||= waitMs >= waitMsMin;
    if (!this.#isBehind) return;
    const share = (waitMsMax - waitMs) / (waitMsMax - waitMsMin);
    this.#startsPerMsMax = Math.max(startsPerMsLeast, this.#countedPerMs * share);
  }
}
