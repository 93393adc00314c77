import { deltaMark } from '../upstream/answers.ts';

/** What an answer must be to count as one. */
export interface Expectation {
  /** Of the body, its framing not counted. */
  readonly bodyBytesMin: number;
  readonly bodyBytesMax: number;
  /** Pieces of text in a stream; 0: the answer is whole. */
  readonly deltas: number;
}

const markBytes = Buffer.from(deltaMark);

/** Counts in the pieces of a body, however it is cut, the marks of its deltas. */
export class DeltaCounter {
  count = 0;
  /** The end of the piece before, shorter than a mark. */
  #tail: Buffer = Buffer.alloc(0);

  reset(): void {
    this.count = 0;
    this.#tail = Buffer.alloc(0);
  }

  read(bytes: Buffer): void {
    const searched = this.#tail.length === 0 ? bytes : Buffer.concat([this.#tail, bytes]);
    for (let at = searched.indexOf(markBytes); at !== -1;) {
      this.count += 1;
      at = searched.indexOf(markBytes, at + markBytes.length);
    }
    // What is kept is too short to hold a mark that was counted; its bytes are soon somebody else's.
    this.#tail = Buffer.from(
      searched.subarray(Math.max(0, searched.length - markBytes.length + 1)),
    );
  }
}

export interface Seen {
  readonly status: number;
  readonly bodyBytes: number;
  readonly deltas: number;
}

/** What the answers are called that tell a client to come again later. */
export const refusals: readonly string[] = ['status 429', 'status 503'];

export const isRefusal = (fault: string) => refusals.includes(fault);

/** What is wrong with an answer, in a few words that do not change with its content; undefined when it is right. */
export function faultOf(seen: Seen, expected: Expectation): string | undefined {
  if (seen.status !== 200) return `status ${seen.status}`;
  if (seen.bodyBytes < expected.bodyBytesMin) return 'too short';
  if (seen.bodyBytes > expected.bodyBytesMax) return 'too long';
  return seen.deltas === expected.deltas ? undefined : 'deltas are missing';
}
