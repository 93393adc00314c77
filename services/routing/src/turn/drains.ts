const drainsMax = 1_000;

/**
 * Bounds the streams that are read to the end after their client left. Above the bound the oldest one is ended and
 * charged for the output that arrived.
 */
export class Drains {
  readonly #ends = new Set<() => void>();

  /** Returns a function to call when the stream is no longer read. */
  add(end: () => void): () => void {
    const [oldest] = this.#ends;
    if (this.#ends.size >= drainsMax && oldest) {
      this.#ends.delete(oldest);
      oldest();
    }
    this.#ends.add(end);
    return () => void this.#ends.delete(end);
  }

  get size(): number {
    return this.#ends.size;
  }
}
