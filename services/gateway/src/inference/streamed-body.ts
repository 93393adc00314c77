import type { ServerResponse } from 'node:http';

const comment = Buffer.from(':\n\n');
const newline = 0x0a;

/** The body of a reply whose length is not known. Its head has been written. */
export class StreamedBody {
  readonly #response: ServerResponse;
  #isBetweenEvents = false;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** Returns false if the caller has to wait for `drain` before the next piece. */
  write(piece: Uint8Array): boolean {
    if (piece.byteLength === 0) return true;
    this.#isBetweenEvents = piece.at(-1) === newline && piece.at(-2) === newline;
    return this.#response.write(piece);
  }

  /** Writes an empty comment into a stream of events, where one may stand. */
  writeComment(): void {
    if (this.#isBetweenEvents && !this.#response.writableEnded) this.write(comment);
  }

  end(): void {
    this.#response.end();
  }
}
