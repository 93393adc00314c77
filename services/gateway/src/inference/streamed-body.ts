import type { ServerResponse } from 'node:http';

const comment = Buffer.from(':\n\n');
const nothing = new Uint8Array();
const newline = 0x0a;
const colon = 0x3a;

/** The body of a reply whose length is not known. Its head has been written. */
export class StreamedBody {
  readonly #response: ServerResponse;
  #isBetweenEvents = false;
  #last: Uint8Array = nothing;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** Returns false if the caller has to wait for `drain` before the next piece. */
  write(piece: Uint8Array): boolean {
    if (piece.byteLength === 0) return true;
    this.#isBetweenEvents = piece.at(-1) === newline && piece.at(-2) === newline;
    if (!isComment(piece)) this.#last = piece;
    return this.#response.write(piece);
  }

  /** Writes an empty comment into a stream of events, where one may stand. */
  writeComment(): void {
    if (this.#isBetweenEvents && !this.#response.writableEnded) this.write(comment);
  }

  /** Returns the last piece that is no comment if an event may follow it. */
  get lastEvents(): string | undefined {
    return this.#isBetweenEvents ? Buffer.from(this.#last).toString() : undefined;
  }

  end(): void {
    this.#response.end();
  }
}

/** True if nothing else is in the piece. An event may come in the same piece as the comment before it. */
function isComment(piece: Uint8Array): boolean {
  return piece[0] === colon && piece.indexOf(newline) === piece.byteLength - 2;
}
