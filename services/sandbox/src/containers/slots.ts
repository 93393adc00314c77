import { Fault } from '@sluice/errors';

const waitingMax = 256;

/** Lets a bounded number of tasks run at once; the others wait in their order. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Throws rate_limited when too many wait. */
  async within<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free--;
    else {
      if (this.#waiting.length >= waitingMax)
        throw new Fault('rate_limited', { message: 'Too many commands wait for a sandbox' });
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}
