export interface LoadShedderOptions {
  /** The number of requests that may wait. */
  readonly waitingMax: number;
  /** The number of waiting requests of one name, so that no single caller takes the whole queue. */
  readonly waitingPerNameMax: number;
  /** The event loop of this process when absent. */
  readonly eventLoop?: EventLoop;
}

export interface EventLoop {
  nowMs(): number;
  /** Calls back once, at the end of this tick: after the I/O that is ready has been read. */
  atEndOfTick(callback: () => void): void;
}

/** The queue is full, the caller has its share of the queue, or the request would wait or has waited too long. */
export type Overload = 'full' | 'share' | 'slow';

/** Starts the request if there is no overload, and refuses it otherwise. Called once. */
type Settle = (overload?: Overload) => void;

interface Waiting {
  readonly name: string;
  readonly settle: Settle;
  readonly sinceMs: number;
}

/** After a longer tick, fewer requests start in the next ones. */
const tickMsMax = 10;
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
/** The deadline of a waiting request. */
const waitMsMax = 10_000;
/** An overload begins with a refusal, and ends so long after the last one. */
const overloadMs = 1_000;
/** In an overload, the longest wait of a request whose caller has others in the queue, and of any other. */
const overloadWaitMsMax = 50;
const firstWaitMsMax = 100;

const processEventLoop: EventLoop = {
  nowMs: () => performance.now(),
  atEndOfTick: (callback) => void setImmediate(callback),
};

/**
 * Bounds concurrency and the queue. Each tick of the event loop starts only so many requests that ticks stay short,
 * in the order of arrival. The others wait, each with a deadline. Once a request is refused, the queue is kept so
 * short that what is served is served soon.
 */
export class LoadShedder {
  readonly #options: LoadShedderOptions;
  readonly #eventLoop: EventLoop;
  #waiting: Waiting[] = [];
  readonly #waitingOf = new Map<string, number>();
  #isTickWatched = false;
  #startsMax = startsMost;
  #startedInTick = 0;
  #startsUntilMs = 0;
  #tickEndedMs: number;
  /** The loop is not idle while a request waits: the time since the last end is the length of the tick. */
  #isWholeTick = false;
  /** The mean number of waiting requests that start per millisecond. */
  #startsPerMs = startsMost / tickMsMax;
  #overloadedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: LoadShedderOptions) {
    this.#options = options;
    this.#eventLoop = options.eventLoop ?? processEventLoop;
    this.#tickEndedMs = this.#eventLoop.nowMs();
  }

  /** The number of waiting requests. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Starts or refuses the request, now or later. */
  admit(name: string, settle: Settle): void {
    const nowMs = this.#eventLoop.nowMs();
    if (!this.#isTickWatched) this.#watchTick(nowMs);
    if (this.#waiting.length === 0 && this.#mayStart(nowMs)) {
      this.#startedInTick += 1;
      return settle();
    }
    const overload = this.#overloadOf(name, nowMs);
    if (overload === undefined) return this.#enqueue({ name, settle, sinceMs: nowMs });
    const isFirst = nowMs >= this.#overloadedUntilMs;
    this.#overloadedUntilMs = nowMs + overloadMs;
    settle(overload);
    if (isFirst) this.#shorten();
  }

  #overloadOf(name: string, nowMs: number): Overload | undefined {
    const { waitingMax, waitingPerNameMax } = this.#options;
    if (nowMs < this.#overloadedUntilMs && this.#waitsForLong(name)) return 'slow';
    if (this.#waiting.length >= waitingMax) return 'full';
    return (this.#waitingOf.get(name) ?? 0) >= waitingPerNameMax ? 'share' : undefined;
  }

  #waitsForLong(name: string): boolean {
    const waitsMs = this.#waiting.length / this.#startsPerMs;
    return waitsMs > (this.#waitingOf.has(name) ? overloadWaitMsMax : firstWaitMsMax);
  }

  #enqueue(waiting: Waiting): void {
    this.#waiting.push(waiting);
    this.#waitingOf.set(waiting.name, (this.#waitingOf.get(waiting.name) ?? 0) + 1);
  }

  /** Refuses what waits behind too many others. */
  #shorten(): void {
    const all = this.#waiting;
    this.#waiting = [];
    this.#waitingOf.clear();
    for (const one of all)
      if (this.#waitsForLong(one.name)) one.settle('slow');
      else this.#enqueue(one);
  }

  #mayStart(nowMs: number): boolean {
    return this.#startedInTick < this.#startsMax && nowMs < this.#startsUntilMs;
  }

  #watchTick(nowMs: number): void {
    this.#isTickWatched = true;
    this.#startsUntilMs = nowMs + startingMsMax;
    this.#eventLoop.atEndOfTick(() => this.#endTick());
  }

  #endTick(): void {
    const nowMs = this.#eventLoop.nowMs();
    const passedMs = nowMs - this.#tickEndedMs;
    if (this.#isWholeTick && passedMs > tickMsMax)
      this.#startsMax *= Math.max(startsShrinkMost, tickMsMax / passedMs);
    else this.#startsMax *= startsGrow ** Math.min(1, passedMs / tickMsMax);
    this.#startsMax = Math.min(startsMost, Math.max(1, this.#startsMax));
    if (this.#isWholeTick && passedMs > 0) this.#countRate(passedMs);
    this.#tickEndedMs = nowMs;
    this.#startedInTick = 0;
    this.#isTickWatched = false;
    this.#isWholeTick = this.#waiting.length > 0;
    if (!this.#isWholeTick) return;
    this.#watchTick(nowMs);
    while (this.#waiting.length > 0 && this.#mayStart(this.#eventLoop.nowMs()))
      this.#settleNext(nowMs);
  }

  #countRate(passedMs: number): void {
    const gain = 1 - Math.exp(-passedMs / rateMs);
    this.#startsPerMs += (this.#startedInTick / passedMs - this.#startsPerMs) * gain;
  }

  #settleNext(nowMs: number): void {
    const next = this.#waiting.shift();
    if (!next) return;
    const left = (this.#waitingOf.get(next.name) ?? 1) - 1;
    if (left === 0) this.#waitingOf.delete(next.name);
    else this.#waitingOf.set(next.name, left);
    if (nowMs - next.sinceMs > waitMsMax) return next.settle('slow');
    this.#startedInTick += 1;
    next.settle();
  }
}
