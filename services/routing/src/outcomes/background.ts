/** Work beside requests. It begins after the event loop has written what is ready, as the end of the answer. */
export class Background {
  readonly #running = new Set<Promise<void>>();

  /** Begins work that never rejects. */
  add(work: () => Promise<void>): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#running.add(promise);
    setImmediate(() => {
      void work().finally(() => {
        this.#running.delete(promise);
        resolve();
      });
    });
  }

  get size(): number {
    return this.#running.size;
  }

  /** Resolves when all work that was added has ended. */
  async settle(): Promise<void> {
    await Promise.all(this.#running);
  }
}
