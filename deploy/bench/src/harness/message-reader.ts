/** Receives each message in this order: its head, its body in pieces, its end. */
export interface MessageListener {
  readonly onHead: (head: string) => void;
  /** A piece of the body, without its framing. Only valid during the call. */
  readonly onBody: (bytes: Buffer) => void;
  readonly onEnd: () => void;
}

const headBytesMax = 64 * 1024;
const sizeLineBytesMax = 1_024;
const headEnd = '\r\n\r\n';
const lineEnd = '\r\n';
const nothing = Buffer.alloc(0);

type State = 'head' | 'body' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailer';

/**
 * Finds the HTTP/1.1 messages in the bytes of a kept connection, with a length or in chunks, and nothing
 * else: so little work that what is measured is the other side. Throws what it cannot read.
 */
export class MessageReader {
  #state: State = 'head';
  /** Bytes of the body or of the chunk that are still to come. */
  #remaining = 0;
  #rest: Buffer = nothing;
  readonly #listener: MessageListener;
  readonly #noLength: 'is empty' | 'is refused';

  /** A message that states no length has no body (a request) or is refused (a response). */
  constructor(noLength: 'is empty' | 'is refused', listener: MessageListener) {
    this.#noLength = noLength;
    this.#listener = listener;
  }

  /** True if a message has begun and not ended. */
  get isInside(): boolean {
    return this.#state !== 'head' || this.#rest.length > 0;
  }

  read(bytes: Buffer): void {
    let unread = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    this.#rest = nothing;
    while (unread.length > 0) {
      const taken = this.#step(unread);
      if (taken === 0) {
        this.#rest = unread;
        return;
      }
      unread = unread.subarray(taken);
    }
  }

  /** Returns the number of bytes that it used, or 0 if it needs more of them. */
  #step(bytes: Buffer): number {
    switch (this.#state) {
      case 'head':
        return this.#readHead(bytes);
      case 'body':
      case 'chunk':
        return this.#readBody(bytes);
      case 'chunk-size':
        return this.#readLine(bytes, (line) => this.#beginChunk(line));
      case 'chunk-end':
        return this.#readLine(bytes, () => (this.#state = 'chunk-size'));
      case 'trailer':
        return this.#readLine(bytes, (line) => line === '' && this.#end());
    }
  }

  #readHead(bytes: Buffer): number {
    const end = bytes.indexOf(headEnd);
    if (end === -1) {
      if (bytes.length > headBytesMax) throw new Error('The head of a message is too long');
      return 0;
    }
    const head = bytes.toString('latin1', 0, end);
    this.#listener.onHead(head);
    const length = /\r\ncontent-length: *(\d{1,15})/i.exec(head)?.[1];
    if (length !== undefined) this.#remaining = Number(length);
    else if (/\r\ntransfer-encoding: *chunked/i.test(head)) this.#remaining = -1;
    else if (this.#noLength === 'is empty') this.#remaining = 0;
    else throw new Error(`A message tells no length: ${head.slice(0, 200)}`);
    if (this.#remaining === 0) this.#end();
    else this.#state = this.#remaining === -1 ? 'chunk-size' : 'body';
    return end + headEnd.length;
  }

  #readBody(bytes: Buffer): number {
    const taken = Math.min(bytes.length, this.#remaining);
    this.#remaining -= taken;
    this.#listener.onBody(taken === bytes.length ? bytes : bytes.subarray(0, taken));
    if (this.#remaining === 0) {
      if (this.#state === 'body') this.#end();
      else this.#state = 'chunk-end';
    }
    return taken;
  }

  #beginChunk(line: string): void {
    if (!/^[\da-f]{1,8}(?: *;.*)?$/i.test(line)) throw new Error(`No size of a chunk: ${line}`);
    this.#remaining = Number.parseInt(line, 16);
    this.#state = this.#remaining === 0 ? 'trailer' : 'chunk';
  }

  #readLine(bytes: Buffer, use: (line: string) => void): number {
    const end = bytes.indexOf(lineEnd);
    if (end === -1) {
      if (bytes.length > sizeLineBytesMax) throw new Error('A line between chunks is too long');
      return 0;
    }
    use(bytes.toString('latin1', 0, end));
    return end + lineEnd.length;
  }

  #end(): void {
    this.#state = 'head';
    this.#listener.onEnd();
  }
}
