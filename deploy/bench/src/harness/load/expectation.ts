/** The conditions for a valid answer. */
export interface Expectation {
  /** Bytes of the body without framing. */
  readonly bodyBytesMin: number;
  readonly bodyBytesMax: number;
  /** Pieces of text in a stream; 0: the answer is whole. */
  readonly deltas: number;
  /** Occurs exactly once in each of them. */
  readonly deltaMark: string;
}

/** Counts in the pieces of a body, however it is cut, the marks of its deltas. */
export class DeltaCounter {
  count = 0;
  /** The end of the piece before, shorter than a mark. */
  #tail: Buffer = Buffer.alloc(0);
  readonly #mark: Buffer;

  constructor(mark: string) {
    this.#mark = Buffer.from(mark);
  }

  reset(): void {
    this.count = 0;
    this.#tail = Buffer.alloc(0);
  }

  read(bytes: Buffer): void {
    const searched = this.#tail.length === 0 ? bytes : Buffer.concat([this.#tail, bytes]);
    for (let at = searched.indexOf(this.#mark); at !== -1;) {
      this.count += 1;
      at = searched.indexOf(this.#mark, at + this.#mark.length);
    }
    // The tail is shorter than a mark, so no mark counts twice. Copy it: the caller reuses the buffer.
    this.#tail = Buffer.from(
      searched.subarray(Math.max(0, searched.length - this.#mark.length + 1)),
    );
  }
}

export interface Seen {
  readonly status: number;
  readonly bodyBytes: number;
  readonly deltas: number;
  /** The beginning of a body whose status is not 200. */
  readonly excerpt: string;
}

const messagePattern = /"message": ?"([^"]{1,120})/;

/** Returns true if the status asks the client to come again later. */
export const isRefusal = (fault: string) => /^status (?:429|503)\b/.test(fault);

/** Returns the fault of an answer, with its digits masked so that equal faults group; undefined when it is valid. */
export function faultOf(seen: Seen, expected: Expectation): string | undefined {
  if (seen.status !== 200) {
    const message = messagePattern.exec(seen.excerpt)?.[1]?.replaceAll(/\d+/g, '#');
    return `status ${seen.status}${message === undefined ? '' : `: ${message}`}`;
  }
  if (seen.bodyBytes < expected.bodyBytesMin) return 'too short';
  if (seen.bodyBytes > expected.bodyBytesMax) return 'too long';
  return seen.deltas === expected.deltas ? undefined : 'deltas are missing';
}
