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
/** The wait of a new fact from which on some requests are refused, and from which on all are. */
const waitMsMin = 1_500;
const waitMsMax = 4_000;
/** A ledger that counts nothing for so long is away, not slow. The bound of the outbox holds for it. */
const awayMs = 5_000;
/** The weight of the newest rate. */
const gain = 0.5;

/**
 * Refuses a share of the requests while the ledger counts slower than facts come. Their wait settles where as many
 * come as are counted, so a ledger that is starved is seconds behind and not minutes.
 */
export class Brake {
  #last: Pick<Look, 'nowMs' | 'counted'> | undefined;
  /** Nothing is refused while no more facts wait: so many did when a ledger that was away came back. */
  #allowed = 0;
  #countedPerMs: number | undefined;
  #countedAtMs = 0;
  #share = 0;
  #carried = 0;

  /** The share of the requests that are refused, from 0 to 1. */
  get share(): number {
    return this.#share;
  }

  /** Call it after each answer of the ledger. */
  look({ nowMs, size, counted, oldestAgeMs }: Look): void {
    const last = this.#last;
    this.#last = { nowMs, counted };
    this.#share = 0;
    if (size < sizeMin || oldestAgeMs < lateMs) {
      this.#countedPerMs = undefined;
      this.#countedAtMs = nowMs;
      this.#allowed = 0;
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
    this.#share = Math.min(1, Math.max(0, (waitMs - waitMsMin) / (waitMsMax - waitMsMin)));
  }

  /** Returns true if the next request is refused: evenly, so many of them. */
  refusesNext(): boolean {
    this.#carried += this.#share;
    if (this.#carried < 1) return false;
    this.#carried -= 1;
    return true;
  }
}
