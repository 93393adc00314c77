import type { StreamPart } from '@sluice/inference';

/** Overhead of a piece of text: V8 keeps concatenated strings as a rope until they are read. */
const pieceBytes = 32;

/**
 * Estimates the memory of an answer while it is read: its text, which stays until the end, and unparsed bytes. The
 * JSON around the text of each event is not retained.
 */
export class KeptBytes {
  #partBytes = 0;
  #bytesSinceParts = 0;

  /** Adds the parts of one read. */
  read(bytes: number, parts: readonly StreamPart[]): void {
    this.#bytesSinceParts += bytes;
    if (parts.length === 0) return;
    let text = 0;
    let isPlain = true;
    for (const part of parts) {
      const length = plainLengthOf(part);
      if (length === undefined) isPlain = false;
      else text += pieceBytes + length;
    }
    this.#partBytes += isPlain ? text : Math.max(text, this.#bytesSinceParts);
    this.#bytesSinceParts = 0;
  }

  /** Returns the estimate in bytes, including the unparsed bytes. */
  bytes(unreadBytes: number): number {
    return this.#partBytes + unreadBytes;
  }
}

/** Returns the length of a text part. undefined for other parts, which retain about their size on the wire. */
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
