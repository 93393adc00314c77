/** An answer that is being read, and what it keeps in memory. */
export interface KeptAnswer {
  /** Ends it: what all answers keep is above the bound, and it keeps most of it. Frees what it keeps. */
  onMemoryShort(): void;
}

/**
 * Bounds what all answers of a process keep in memory together. Above the bound the largest answer is ended: the
 * others are not to pay for an upstream that does not stop.
 */
export class AnswerMemory {
  readonly #bytesMax: number;
  readonly #kept = new Map<KeptAnswer, number>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** The bytes that all answers hold. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Notes what an answer keeps now. May end answers, this one too. */
  keep(answer: KeptAnswer, bytes: number): void {
    this.#bytes += bytes - (this.#kept.get(answer) ?? 0);
    this.#kept.set(answer, bytes);
    while (this.#bytes > this.#bytesMax && this.#kept.size > 0) {
      const largest = this.#largest();
      this.free(largest);
      largest.onMemoryShort();
    }
  }

  /** Nothing of the answer is kept any more. */
  free(answer: KeptAnswer): void {
    this.#bytes -= this.#kept.get(answer) ?? 0;
    this.#kept.delete(answer);
  }

  #largest(): KeptAnswer {
    let found: KeptAnswer | undefined;
    let most = -1;
    for (const [answer, bytes] of this.#kept)
      if (bytes > most) {
        found = answer;
        most = bytes;
      }
    if (!found) throw new Error('no answer keeps anything');
    return found;
  }
}
