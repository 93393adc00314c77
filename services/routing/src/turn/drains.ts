const drainsMax = 1_000;

/**
 * Streams that are read on although nobody is there to hear them. So many at most: where more clients leave, the one
 * that has been read for the longest is ended, and is charged what came.
 */
export class Drains {
  readonly #ends = new Set<() => void>();

  /** Returns a function to call when the reading stops, for whatever reason. */
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
