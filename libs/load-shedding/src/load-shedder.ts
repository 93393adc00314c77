import { type EventLoop, Starts } from './starts.ts';

export interface LoadShedderOptions {
  /** The number of requests that may wait. */
  readonly waitingMax: number;
  /** The number of waiting requests of one name, so that no single caller takes the whole queue. */
  readonly waitingPerNameMax: number;
  /** Returns the number of requests that may start in a millisecond, above 0. Undefined: as many as the process can. */
  readonly startsPerMsMax?: (() => number | undefined) | undefined;
  /** The event loop of this process when absent. */
  readonly eventLoop?: EventLoop;
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

interface Refused {
  readonly settle: Settle;
  readonly overload: Overload;
}

/** The deadline of a waiting request. */
const waitMsMax = 10_000;
/** An overload begins with a refusal, and ends so long after the last one. */
const overloadMs = 1_000;
/** In an overload, the longest wait of a request whose caller has others in the queue, and of any other. */
const overloadWaitMsMax = 50;
const firstWaitMsMax = 100;
/** If the queue of an overload becomes so long because starts become slower, its end is refused. */
const longWaitMs = 150;
/** To read a request takes about as long as to refuse it. */
const refusalParts = 2;

/**
 * Bounds concurrency and the queue. Requests start in the order of arrival, as fast as `Starts` allows. The others
 * wait, each with a deadline. Once a request is refused, the queue is kept so short that what is served is served
 * soon.
 */
export class LoadShedder {
  readonly #options: LoadShedderOptions;
  readonly #starts: Starts;
  #waiting: Waiting[] = [];
  readonly #waitingOf = new Map<string, number>();
  #overloadedUntilMs = Number.NEGATIVE_INFINITY;
  #refused: Refused[] = [];

  constructor(options: LoadShedderOptions) {
    this.#options = options;
    this.#starts = new Starts({
      eventLoop: options.eventLoop,
      perMsMax: options.startsPerMsMax,
      isAwaited: () => this.#waiting.length > 0,
      onTurn: () => this.#startWaiting(),
    });
  }

  /** The number of waiting requests. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Starts or refuses the request, now or later. */
  admit(name: string, settle: Settle): void {
    if (this.#waiting.length === 0 && this.#starts.begin()) return settle();
    const nowMs = this.#starts.nowMs();
    const overload = this.#overloadOf(name, nowMs);
    if (overload === undefined) return this.#enqueue({ name, settle, sinceMs: nowMs });
    const isFirst = nowMs >= this.#overloadedUntilMs;
    this.#overloadedUntilMs = nowMs + overloadMs;
    this.#refuse(settle, overload);
    if (isFirst) this.#shorten();
  }

  /**
   * Refuses at the end of the tick. A client that was refused at once would send the next request within the same tick,
   * and more than a thousand of them keep Node.js reading for seconds, in which nothing starts and no timer calls back.
   */
  #refuse(settle: Settle, overload: Overload): void {
    this.#refused.push({ settle, overload });
    if (this.#refused.length === 1) this.#starts.atEndOfTick(() => this.#settleRefused());
  }

  #settleRefused(): void {
    const beganMs = this.#starts.nowMs();
    const refused = this.#refused;
    this.#refused = [];
    for (const { settle, overload } of refused) settle(overload);
    this.#starts.excuse(refusalParts * (this.#starts.nowMs() - beganMs));
  }

  #overloadOf(name: string, nowMs: number): Overload | undefined {
    const { waitingMax, waitingPerNameMax } = this.#options;
    if (nowMs < this.#overloadedUntilMs && this.#waitsForLong(name)) return 'slow';
    if (this.#waiting.length >= waitingMax) return 'full';
    return (this.#waitingOf.get(name) ?? 0) >= waitingPerNameMax ? 'share' : undefined;
  }

  #waitsForLong(name: string): boolean {
    return this.#waitMs > (this.#waitingOf.has(name) ? overloadWaitMsMax : firstWaitMsMax);
  }

  /** The wait of a request at the end of the queue. */
  get #waitMs(): number {
    return this.#waiting.length / this.#starts.perMs;
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
      if (this.#waitsForLong(one.name)) this.#refuse(one.settle, 'slow');
      else this.#enqueue(one);
  }

  #startWaiting(): void {
    const nowMs = this.#starts.nowMs();
    if (nowMs < this.#overloadedUntilMs && this.#waitMs > longWaitMs) this.#shorten();
    const deadlineMs = nowMs - waitMsMax;
    while (this.#waiting.length > 0 && this.#starts.begin()) {
      const next = this.#waiting.shift();
      if (!next) return;
      const left = (this.#waitingOf.get(next.name) ?? 1) - 1;
      if (left === 0) this.#waitingOf.delete(next.name);
      else this.#waitingOf.set(next.name, left);
      next.settle(next.sinceMs < deadlineMs ? 'slow' : undefined);
    }
  }
}
