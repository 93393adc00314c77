import type { ServerResponse } from 'node:http';

const lineEnd = '\r\n';
const lastChunk = Buffer.from('0\r\n\r\n');
const comment = Buffer.from(':\n\n');
const newline = 0x0a;

/**
 * The body of a reply whose length nobody knows. Where it goes in chunks it is put into them here, each in one piece:
 * Node.js makes four writes of a chunk, which it then joins again.
 */
export class StreamedBody {
  readonly #response: ServerResponse;
  readonly #isChunked: boolean;
  #isBetweenEvents = false;

  /** Takes the head with it: it leaves together with the first piece. */
  constructor(response: ServerResponse, head: readonly string[]) {
    this.#response = response;
    // A client of HTTP/1.0 reads until the connection closes.
    this.#isChunked = response.req.httpVersionMinor > 0;
    const framing = this.#isChunked ? ['transfer-encoding', 'chunked'] : [];
    response.writeHead(response.statusCode, [...head, ...framing]);
    // The head says so; from here on bytes leave as they are written.
    if (this.#isChunked) response.chunkedEncoding = false;
  }

  /** False: wait for `drain` before the next one. */
  write(piece: Uint8Array): boolean {
    // A chunk of nothing would be the last one.
    if (piece.byteLength === 0) return true;
    this.#isBetweenEvents = piece.at(-1) === newline && piece.at(-2) === newline;
    return this.#response.write(this.#isChunked ? chunkOf(piece) : piece);
  }

  /** Writes an empty comment into a stream of events, where one may stand. */
  writeComment(): void {
    if (this.#isBetweenEvents && !this.#response.writableEnded) this.write(comment);
  }

  end(): void {
    if (this.#isChunked) this.#response.end(lastChunk);
    else this.#response.end();
  }
}

function chunkOf(piece: Uint8Array): Buffer {
  const size = piece.byteLength.toString(16) + lineEnd;
  const chunk = Buffer.allocUnsafe(size.length + piece.byteLength + lineEnd.length);
  chunk.write(size, 'latin1');
  chunk.set(piece, size.length);
  chunk.write(lineEnd, size.length + piece.byteLength, 'latin1');
  return chunk;
}
