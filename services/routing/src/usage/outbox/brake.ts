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
 * backlog. With shorter waits they start faster, with longer ones slower.
 */
const waitMsMin = 2_500;
const waitMsMax = 4_500;
/**
 * The lowest bound is this share of what the ledger counts. It counts fewer facts a second while it has few: with less
 * it would seem to be ever slower.
 */
const shareMin = 0.25;
/** The ledger counts in batches, so its rate is the mean of so long. */
const rateMs = 4_000;
/** A ledger that counts nothing for so long is away, not slow. The bound of the outbox holds for it. */
const awayMs = 5_000;

type Counted = Pick<Look, 'nowMs' | 'counted'>;

/**
 * Bounds the rate at which requests start while the ledger counts slower than facts come. The wait of a fact settles
 * where as many come as are counted, so a ledger that is starved is seconds behind and not minutes.
 */
export class Brake {
  /** The looks of the last seconds since the ledger kept up, oldest first. */
  #looks: Counted[] = [];
  /** Nothing is bounded while no more facts wait: so many did when a ledger that was away came back. */
  #allowed = 0;
  #countedPerMs = 0;
  #countedAtMs = 0;
  #isBehind = false;
  #startsPerMsMax: number | undefined;

  /** The number of requests that may start in a millisecond. Undefined: the ledger keeps up, or is away. */
  get startsPerMsMax(): number | undefined {
    return this.#startsPerMsMax;
  }

  /** Call it after each question to the ledger. */
  look({ nowMs, size, counted, oldestAgeMs }: Look): void {
    this.#startsPerMsMax = undefined;
    // Requests may wait for the bound: if a short backlog ended it, they would all start at once.
    if (oldestAgeMs < lateMs || (size < sizeMin && !this.#isBehind)) {
      this.#looks = [{ nowMs, counted }];
      this.#countedAtMs = nowMs;
      this.#allowed = 0;
      this.#isBehind = false;
      return;
    }
    const wasAway = nowMs - this.#countedAtMs > awayMs;
    if (this.#hasCounted({ nowMs, counted })) {
      if (wasAway) this.#allowed = size;
    } else if (wasAway) return;
    if (this.#countedPerMs === 0 || size <= this.#allowed) return;
    const waitMs = size / this.#countedPerMs;
    this.#isBehind ||= waitMs >= waitMsMin;
    if (!this.#isBehind) return;
    const share = (waitMsMax - waitMs) / (waitMsMax - waitMsMin);
    this.#startsPerMsMax = this.#countedPerMs * Math.max(shareMin, share);
  }

  /** Measures the rate of the ledger. Returns false if it has counted nothing since the last look. */
  #hasCounted(look: Counted): boolean {
    const last = this.#looks.at(-1);
    this.#looks.push(look);
    while (this.#looks.length > 2 && look.nowMs - this.#oldest(look).nowMs > rateMs)
      this.#looks.shift();
    const first = this.#oldest(look);
    const counted = look.counted - first.counted;
    if (counted > 0) this.#countedPerMs = counted / (look.nowMs - first.nowMs);
    if (!last || look.counted <= last.counted) return false;
    this.#countedAtMs = look.nowMs;
    return true;
  }

  #oldest(look: Counted): Counted {
    return this.#looks[0] ?? look;
  }
}
