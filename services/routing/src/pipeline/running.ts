import { setMaxListeners } from 'node:events';

/** Keeps what goes on in the background, so that a stop can wait for it and then end it. */
export class Running {
  readonly #work = new Set<Promise<unknown>>();
  readonly #stopping = new AbortController();

  constructor() {
    // Each generation listens; that is no leak.
    setMaxListeners(0, this.#stopping.signal);
  }

  /** Aborted when what still runs has to end now. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  get count(): number {
    return this.#work.size;
  }

  track<Result>(work: Promise<Result>): Promise<Result> {
    const tracked = work.finally(() => this.#work.delete(tracked));
    this.#work.add(tracked);
    return tracked;
  }

  /** Waits for what runs, ends it when that takes too long, and waits for the end. */
  async settle(graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.#stopping.abort(new Error('stopping')), graceMs);
    while (this.#work.size > 0) await Promise.allSettled(this.#work);
    clearTimeout(timer);
    this.#stopping.abort(new Error('stopped'));
  }
}
