/** A fraction of the waiting steps that may go on in a tick. */
const share = 1 / 32;

/**
 * Lets the steps of loops go on one after the other, with a tick of the event loop between them. Loops whose models
 * answer at the same time would otherwise do all their work in one tick, and every other request would wait for it.
 * Accounts take turns. The more steps wait, the more go on in a tick, so that none waits for long.
 */
export class FairSteps {
  /** The waiting steps of each account. The account whose turn it is comes first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #count = 0;
  #isTaken = false;

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
    for (let left = Math.ceil(this.#count * share); left > 0; left -= 1) this.#admitOne();
    setImmediate(this.#admit);
  };

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
