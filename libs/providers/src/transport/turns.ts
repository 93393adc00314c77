/** The number of replies that resume in one turn of the event loop. */
const resumedPerTurn = 4;

/**
 * Lets large replies take turns in their order, so that the work of one turn of the event loop is bounded, even if
 * many upstreams send as fast as they can.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #isScheduled = false;

  /** Calls back in a later turn. */
  wait(resume: () => void): void {
    this.#waiting.push(resume);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#next);
  }

  get waitingCount(): number {
    return this.#waiting.length;
  }

  readonly #next = (): void => {
    for (const resume of this.#waiting.splice(0, resumedPerTurn)) resume();
    this.#isScheduled = this.#waiting.length > 0;
    if (this.#isScheduled) setImmediate(this.#next);
  };
}
