import type { StreamPart } from '@sluice/inference';

/** The memory of a piece of text beside its characters: it is a node of a rope until it is read. */
const pieceBytes = 32;

/**
 * Estimates what an answer keeps in memory while it is read: the text of it, which stays until its end, and what is not
 * read yet. The words around the text in each event are not kept.
 */
export class KeptBytes {
  #told = 0;
  #sinceTold = 0;

  /** A read brought these parts. */
  read(bytes: number, parts: readonly StreamPart[]): void {
    this.#sinceTold += bytes;
    if (parts.length === 0) return;
    let text = 0;
    let isPlain = true;
    for (const part of parts) {
      const length = plainLengthOf(part);
      if (length === undefined) isPlain = false;
      else text += pieceBytes + length;
    }
    this.#told += isPlain ? text : Math.max(text, this.#sinceTold);
    this.#sinceTold = 0;
  }

  /** With what was read and not told yet. */
  bytes(unreadBytes: number): number {
    return this.#told + unreadBytes;
  }
}

/** The characters of a piece of text; undefined: it keeps about as much as it took to say. */
function plainLengthOf(part: StreamPart): number | undefined {
  switch (part.type) {
    case 'text-delta':
      return part.logprobs ? undefined : part.delta.length;
    case 'refusal-delta':
    case 'reasoning-delta':
    case 'reasoning-summary-delta':
    case 'tool-call-delta':
      return part.delta.length;
    default:
      return undefined;
  }
}
