/** A fraction of the waiting steps that may go on in a tick. */
const share = 1 / 32;
/**
 * Ticks between two steps. A request waits for the disk and for sockets several times, and each time for a tick. A tick
 * without a step takes microseconds. If other work makes the ticks long, the next step goes on after this time.
 */
const restTicks = 3;
const restMsMax = 1;

/**
 * Lets the steps of loops go on one after the other, with ticks of the event loop between them. Loops whose models
 * answer at the same time would otherwise do all their work in one tick, and every other request would wait for it.
 * Accounts take turns. The more steps wait, the more go on in a tick, so that none waits for long.
 */
export class FairSteps {
  /** The waiting steps of each account. The account whose turn it is comes first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #count = 0;
  #isTaken = false;
  readonly #now: () => number;
  /** Ticks left without a step, and the time of the last one. */
  #restTicks = 0;
  #steppedMs = 0;

  /** The clock tells milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Resolves when the step may go on. Returns undefined if it may do so at once. */
  next(accountId: string): Promise<void> | undefined {
    if (!this.#isTaken) {
      this.#isTaken = true;
      setImmediate(this.#admit);
      return undefined;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const own = this.#waiting.get(accountId);
    if (own) own.push(resolve);
    else this.#waiting.set(accountId, [resolve]);
    this.#count += 1;
    return promise;
  }

  readonly #admit = (): void => {
    this.#isTaken = this.#count > 0;
    if (!this.#isTaken) return;
    if (this.#restTicks > 0 && this.#now() - this.#steppedMs < restMsMax) this.#restTicks -= 1;
    else this.#step();
    setImmediate(this.#admit);
  };

  #step(): void {
    for (let left = Math.ceil(this.#count * share); left > 0; left -= 1) this.#admitOne();
    // The steps of a single loop, or of few, follow each other at once.
    this.#restTicks = this.#count > 0 ? restTicks : 0;
    this.#steppedMs = this.#now();
  }

  #admitOne(): void {
    const [first] = this.#waiting;
    if (!first) return;
    const [accountId, steps] = first;
    this.#waiting.delete(accountId);
    steps.shift()?.();
    this.#count -= 1;
    if (steps.length > 0) this.#waiting.set(accountId, steps);
  }
}
