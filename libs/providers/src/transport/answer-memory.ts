/** An answer in progress that holds memory. */
export interface KeptAnswer {
  /** Ends this answer and frees its memory. Called when all answers exceed the bound and this one holds the most. */
  onMemoryShort(): void;
}

/**
 * Bounds the memory of all answers of a process. Above the bound the largest answer is ended, so that an endless
 * upstream does not end the others.
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

  /** Sets the memory of an answer. May end answers, including this one. */
  keep(answer: KeptAnswer, bytes: number): void {
    this.#bytes += bytes - (this.#kept.get(answer) ?? 0);
    this.#kept.set(answer, bytes);
    while (this.#bytes > this.#bytesMax && this.#kept.size > 0) {
      const largest = this.#largest();
      this.free(largest);
      largest.onMemoryShort();
    }
  }

  /** Removes an answer that holds no memory any more. */
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
