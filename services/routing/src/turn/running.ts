export interface Stoppable {
  stop(reason: Error): void;
}

/** Keeps what goes on in the background, so that a stop can wait for it and then end it. */
export class Running {
  readonly #work = new Set<Promise<unknown>>();
  readonly #stoppable = new Set<Stoppable>();

  /** It is stopped when what still runs has to end now, unless it has left before. */
  join(one: Stoppable): void {
    this.#stoppable.add(one);
  }

  leave(one: Stoppable): void {
    this.#stoppable.delete(one);
  }

  get count(): number {
    return this.#work.size;
  }

  track<Result>(work: Promise<Result>): Promise<Result> {
    const end = () => void this.#work.delete(work);
    this.#work.add(work);
    work.then(end, end);
    return work;
  }

  /** Waits for what runs, ends it when that takes too long, and waits for the end. */
  async settle(graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.#stop(new Error('stopping')), graceMs);
    while (this.#work.size > 0) await Promise.allSettled(this.#work);
    clearTimeout(timer);
    this.#stop(new Error('stopped'));
  }

  #stop(reason: Error): void {
    for (const one of this.#stoppable) one.stop(reason);
  }
}
