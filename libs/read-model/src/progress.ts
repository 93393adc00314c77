import { comparePositions, type Position } from '@sluice/es';

/** Follows how far a projection has come, and wakes those that wait for it. */
export class Progress {
  #position: Position | undefined;
  readonly #wakers = new Set<() => void>();

  get position(): Position | undefined {
    return this.#position;
  }

  /** Forgets how far it has come: the log is another one. */
  forget(): void {
    this.#position = undefined;
  }

  /** Never goes back. */
  advance(position: Position | undefined): void {
    if (position === undefined || this.reached(position)) return;
    this.#position = position;
    this.wake();
  }

  reached(position: Position): boolean {
    return this.#position !== undefined && comparePositions(this.#position, position) >= 0;
  }

  wake(): void {
    for (const waker of this.#wakers) waker();
  }

  /** Resolves with the next change, or after the time-out. */
  async change(timeoutMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, timeoutMs);
    this.#wakers.add(resolve);
    await promise;
    clearTimeout(timer);
    this.#wakers.delete(resolve);
  }
}
