export interface EventLoop {
  nowMs(): number;
  /** Calls back once, at the end of this tick: after the I/O that is ready has been read. */
  atEndOfTick(callback: () => void): void;
  /** Calls back once, after so many milliseconds or a little later. */
  after(ms: number, callback: () => void): void;
}

export interface StartsOptions {
  /** The event loop of this process when absent. */
  readonly eventLoop?: EventLoop | undefined;
  /** Returns a bound of the rate, above 0. Undefined: as fast as the process can. */
  readonly perMsMax?: (() => number | undefined) | undefined;
  /** Returns true if requests wait. */
  readonly isAwaited: () => boolean;
  /** Called when waiting requests may start: as long as `begin` allows it. */
  readonly onTurn: () => void;
}

/** After a longer tick, fewer requests start in the next ones. */
const tickMsMax = 6;
/** The time in a tick after which no more requests start. */
const startingMsMax = 4;
/** Bounds the starts of a tick. Starting is the smaller part of a request: the rest follows in later ticks. */
const startsMost = 100;
/** Bounds how fast the starts of a tick shrink: requests before a slow tick slow the next ones as well. */
const startsShrinkMost = 0.5;
/** The growth of the starts per `tickMsMax` of time: the cost of a started request shows only in later ticks. */
const startsGrow = 1.1;
/** The time constant of the mean rate at which waiting requests start. */
const rateMs = 200;
/** Under a bound of the rate, so much of it may start at once: timers are late. */
const burstMs = 5;

const processEventLoop: EventLoop = {
  nowMs: () => performance.now(),
  atEndOfTick: (callback) => void setImmediate(callback),
  after: (ms, callback) => void setTimeout(callback, ms),
};

/**
 * Bounds concurrency: a tick of the event loop starts only so many requests that ticks stay short. The length of ticks
 * tells what the process can do. What stands behind it may bound the rate of the starts further.
 */
export class Starts {
  readonly #options: StartsOptions;
  readonly #eventLoop: EventLoop;
  /** A turn is due at the end of this tick, or after a pause. */
  #isTurnDue = false;
  #startsMax = startsMost;
  #startedInTick = 0;
  #startsUntilMs = 0;
  #tickEndedMs: number;
  /** The loop is not idle while a request waits: the time since the last end is the length of the tick. */
  #isWholeTick = false;
  #excusedMs = 0;
  /** The mean number of waiting requests that start per millisecond. */
  #perMs = startsMost / tickMsMax;
  /** The bound of the rate lets no request start before. */
  #nextMs = Number.NEGATIVE_INFINITY;

  constructor(options: StartsOptions) {
    this.#options = options;
    this.#eventLoop = options.eventLoop ?? processEventLoop;
    this.#tickEndedMs = this.#eventLoop.nowMs();
  }

  nowMs(): number {
    return this.#eventLoop.nowMs();
  }

  atEndOfTick(callback: () => void): void {
    this.#eventLoop.atEndOfTick(callback);
  }

  /** Takes time out of this tick: it went to requests that did not start, so fewer starts would not shorten it. */
  excuse(ms: number): void {
    this.#excusedMs += ms;
  }

  /** The number of waiting requests that start in a millisecond. */
  get perMs(): number {
    return Math.min(this.#perMs, this.#options.perMsMax?.() ?? Number.POSITIVE_INFINITY);
  }

  /** Returns true if a request may start now, and counts it. */
  begin(): boolean {
    const nowMs = this.nowMs();
    if (!this.#isTurnDue) this.#watchTick(nowMs);
    const isFull = this.#startedInTick >= this.#startsMax || nowMs >= this.#startsUntilMs;
    if (isFull || nowMs < this.#nextMs) return false;
    this.#startedInTick += 1;
    const perMsMax = this.#options.perMsMax?.();
    if (perMsMax !== undefined)
      this.#nextMs = Math.max(this.#nextMs, nowMs - burstMs) + 1 / perMsMax;
    return true;
  }

  #watchTick(nowMs: number): void {
    this.#isTurnDue = true;
    this.#startsUntilMs = nowMs + startingMsMax;
    this.#eventLoop.atEndOfTick(() => this.#endTick());
  }

  #endTick(): void {
    const nowMs = this.nowMs();
    const passedMs = nowMs - this.#tickEndedMs;
    const workedMs = Math.max(0, passedMs - this.#excusedMs);
    this.#excusedMs = 0;
    if (this.#isWholeTick && workedMs > tickMsMax)
      this.#startsMax *= Math.max(startsShrinkMost, tickMsMax / workedMs);
    else this.#startsMax *= startsGrow ** Math.min(1, passedMs / tickMsMax);
    this.#startsMax = Math.min(startsMost, Math.max(1, this.#startsMax));
    if (this.#isWholeTick && passedMs > 0) this.#countRate(passedMs);
    this.#isTurnDue = this.#options.isAwaited();
    const pausesMs = this.#nextMs - nowMs;
    this.#isWholeTick = this.#isTurnDue && pausesMs <= 0;
    if (!this.#isTurnDue) this.#beginTick(nowMs);
    else if (this.#isWholeTick) this.#takeTurn(nowMs);
    else this.#eventLoop.after(pausesMs, () => this.#takeTurn(this.nowMs()));
  }

  #takeTurn(nowMs: number): void {
    this.#beginTick(nowMs);
    this.#watchTick(nowMs);
    this.#options.onTurn();
  }

  #beginTick(nowMs: number): void {
    this.#tickEndedMs = nowMs;
    this.#startedInTick = 0;
  }

  #countRate(passedMs: number): void {
    const gain = 1 - Math.exp(-passedMs / rateMs);
    this.#perMs += (this.#startedInTick / passedMs - this.#perMs) * gain;
  }
}
