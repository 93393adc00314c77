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
  /** The time that the loop has been idle, in total. */
  idleMs(): number;
  /** Calls back once, at the end of this tick: after the I/O that is ready has been read. */
  atEndOfTick(callback: () => void): void;
}

/** The queue is full, the caller has its share of the queue, or the queue is too slow. */
export type Overload = 'full' | 'share' | 'slow';

interface Waiting {
  readonly name: string;
  readonly start: () => void;
  readonly sinceMs: number;
}

/** After a longer tick, fewer requests start in the next ones. */
const tickMsMax = 10;
/** The time in a tick after which no more requests start, with the work before them. */
const startingMsMax = 4;
/**
 * The number of requests that start in one tick. Starting is the smaller part of a request: the rest follows
 * in later ticks. Without this bound the first tick of a burst starts more than ten ticks can finish.
 */
const startsMax = 100;
/** The window in which the cost of a request is measured while no request waits. */
const costWindowMs = 1_000;
/** With fewer requests in a window, the time mostly goes to other work of the process. */
const costStartsMin = 50;
/** Bounds how fast `startsMax` shrinks: requests that started before a slow tick slow the next ones as well. */
const startsShrinkMost = 0.5;
/** The growth per `tickMsMax` of time: the cost of a started request shows only in later ticks. */
const startsGrow = 1.1;
/** No request queues behind one that has waited for so long. */
const waitedMsMax = 2_000;
/** A queue that has stood for longer is not a burst. More requests in it only make all of them late. */
const burstMs = 500;
/** A shorter gap does not end a queue: after a refusal a client leaves its connection idle for a moment. */
const queueGapMs = 50;
/** In a standing queue, a caller that has a waiting request gets no other one in that would wait for so long. */
const standingWaitMsMax = 50;
/** A shorter queue is not standing: a client with many connections that sends after each response is no overload. */
const standingPlacesMin = 128;
/** The time constant of the mean rate at which waiting requests start. */
const rateMs = 200;

const processEventLoop: EventLoop = {
  nowMs: () => performance.now(),
  idleMs: () => performance.nodeTiming.idleTime,
  atEndOfTick: (callback) => void setImmediate(callback),
};

/**
 * Starts requests in the order of arrival, and no faster than the event loop finishes them. It refuses
 * excess requests at once. While no request waits, it starts each request as it arrives.
 */
export class LoadShedder {
  readonly #options: LoadShedderOptions;
  readonly #eventLoop: EventLoop;
  readonly #waiting: Waiting[] = [];
  readonly #waitingOf = new Map<string, number>();
  #isInTick = false;
  #isWholeTick = false;
  #tickEndedMs: number;
  #idleMs: number;
  /** The estimated start of the current tick. */
  #busySinceMs = 0;
  #startsMax = startsMax;
  #startedInTick = 0;
  /** The time of the event loop per request while none waited; undefined until there were enough. */
  #costMs: number | undefined;
  #window = { sinceMs: 0, idleMs: 0, started: 0 };
  /** The mean number of waiting requests that start per millisecond; undefined before the first. */
  #startsPerMs: number | undefined;
  /** The start of the current queue, short gaps included; and the last time that the queue became empty. */
  #queueSinceMs = 0;
  #queueEndedMs = Number.NEGATIVE_INFINITY;

  constructor(options: LoadShedderOptions) {
    this.#options = options;
    this.#eventLoop = options.eventLoop ?? processEventLoop;
    this.#tickEndedMs = this.#eventLoop.nowMs();
    this.#idleMs = this.#eventLoop.idleMs();
  }

  /** The number of waiting requests. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Starts the request now or later, or returns why it is refused. */
  admit(name: string, start: () => void): Overload | undefined {
    const nowMs = this.#eventLoop.nowMs();
    if (this.#waiting.length === 0) {
      if (!this.#isInTick) this.#beginPartOfTick();
      if (this.#mayStart(nowMs)) {
        this.#startedInTick += 1;
        start();
        return undefined;
      }
    }
    const ofName = this.#waitingOf.get(name) ?? 0;
    const overload = this.#overload(ofName, nowMs);
    if (overload !== undefined) return overload;
    if (this.#waiting.length === 0) this.#beginQueue(nowMs);
    this.#waiting.push({ name, start, sinceMs: nowMs });
    this.#waitingOf.set(name, ofName + 1);
    return undefined;
  }

  #overload(ofName: number, nowMs: number): Overload | undefined {
    const { waitingMax, waitingPerNameMax } = this.#options;
    if (this.#waiting.length >= waitingMax) return 'full';
    if (ofName >= waitingPerNameMax) return 'share';
    const [first] = this.#waiting;
    if (!first) return undefined;
    if (nowMs - first.sinceMs >= waitedMsMax) return 'slow';
    const isStanding = ofName > 0 && nowMs - this.#queueSinceMs >= burstMs;
    if (!isStanding || this.#waiting.length < standingPlacesMin) return undefined;
    const willWaitMs = this.#waiting.length / (this.#startsPerMs ?? Number.POSITIVE_INFINITY);
    return willWaitMs >= standingWaitMsMax ? 'slow' : undefined;
  }

  #mayStart(nowMs: number): boolean {
    return this.#startedInTick < this.#startsMax && nowMs - this.#busySinceMs < startingMsMax;
  }

  /**
   * Counts the work before the first request of a tick as work of this tick. Node.js does not say when a tick
   * began. At worst, a request waits for the next tick.
   */
  #beginPartOfTick(): void {
    const idleMs = this.#eventLoop.idleMs() - this.#idleMs;
    this.#beginTick(this.#tickEndedMs + idleMs);
  }

  #beginQueue(nowMs: number): void {
    if (nowMs - this.#queueEndedMs < queueGapMs) return;
    this.#queueSinceMs = nowMs;
    // The length of ticks shows an overload only several ticks later.
    if (this.#costMs === undefined) return;
    this.#startsMax = Math.max(1, Math.min(this.#startsMax, tickMsMax / this.#costMs));
  }

  #measureCost(nowMs: number): void {
    this.#window.started += this.#startedInTick;
    const { sinceMs, idleMs, started } = this.#window;
    const wasQueued = this.#waiting.length > 0 || this.#queueEndedMs >= sinceMs;
    if (nowMs - sinceMs < costWindowMs && !wasQueued) return;
    const busyMs = nowMs - sinceMs - (this.#idleMs - idleMs);
    if (started >= costStartsMin && !wasQueued) this.#costMs = busyMs / started;
    this.#window = { sinceMs: nowMs, idleMs: this.#idleMs, started: 0 };
  }

  #beginTick(busySinceMs: number): void {
    this.#isInTick = true;
    this.#busySinceMs = busySinceMs;
    this.#startedInTick = 0;
    this.#eventLoop.atEndOfTick(() => this.#endTick());
  }

  #endTick(): void {
    const endedMs = this.#eventLoop.nowMs();
    const tickMs = this.#isWholeTick ? endedMs - this.#busySinceMs : 0;
    const passedTicks = Math.min(1, (endedMs - this.#tickEndedMs) / tickMsMax);
    const shrink = Math.max(startsShrinkMost, tickMsMax / tickMs);
    const share = tickMs > tickMsMax ? shrink : startsGrow ** passedTicks;
    this.#startsMax = Math.min(startsMax, Math.max(1, this.#startsMax * share));
    if (tickMs > 0) this.#countRate(this.#startedInTick, tickMs);
    this.#tickEndedMs = endedMs;
    this.#idleMs = this.#eventLoop.idleMs();
    this.#isInTick = false;
    this.#isWholeTick = this.#waiting.length > 0;
    this.#measureCost(endedMs);
    if (!this.#isWholeTick) return;
    // The loop is never idle while a request waits, so this tick ends after one look at the ready I/O.
    this.#beginTick(endedMs);
    do this.#startNext();
    while (this.#waiting.length > 0 && this.#mayStart(this.#eventLoop.nowMs()));
  }

  #countRate(started: number, tickMs: number): void {
    const perMs = started / tickMs;
    this.#startsPerMs ??= perMs;
    this.#startsPerMs += (perMs - this.#startsPerMs) * (1 - Math.exp(-tickMs / rateMs));
  }

  #startNext(): void {
    const next = this.#waiting.shift();
    if (!next) return;
    this.#startedInTick += 1;
    const left = (this.#waitingOf.get(next.name) ?? 1) - 1;
    if (left === 0) this.#waitingOf.delete(next.name);
    else this.#waitingOf.set(next.name, left);
    if (this.#waiting.length === 0) this.#queueEndedMs = this.#eventLoop.nowMs();
    next.start();
  }
}
