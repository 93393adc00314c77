/**
 * More than this may wait for a slow client only for as long as the writer does not look. With what the
 * exchange with the upstream keeps and what is on its way to the client, a stream holds about 256 KiB.
 */
const waitingBytesMax = 64 * 1024;

/**
 * The body of a streamed reply between the writer and the sender. Bytes that arrive while the sender is busy are sent
 * in one piece. After the sender has left, writes are dropped.
 */
export class ByteChannel implements AsyncIterable<Uint8Array> {
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #ended = false;
  #left = false;
  readonly #onLeft: () => void;
  #wakeReader: (() => void) | undefined;
  #wakeWriter: (() => void) | undefined;

  /** `onLeft` is called when the sender stops reading before the end. */
  constructor(onLeft: () => void) {
    this.#onLeft = onLeft;
  }

  write(chunk: Uint8Array): void {
    if (this.#left || this.#ended) return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.byteLength;
    this.#wake();
  }

  /** Returns undefined if there is room. Otherwise resolves when there is room or the reader has left. */
  room(): Promise<void> | undefined {
    if (this.#left || this.#bytes <= waitingBytesMax) return undefined;
    return new Promise((resolve) => {
      this.#wakeWriter = resolve;
    });
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** Drops the waiting bytes when the reader has left. */
  leave(): void {
    if (this.#left) return;
    this.#left = true;
    this.#chunks = [];
    this.#bytes = 0;
    this.#wake();
    this.#wakeWriter?.();
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return {
      next: () => this.#next(),
      return: async () => {
        if (!this.#ended || this.#chunks.length > 0) this.#onLeft();
        this.leave();
        return { done: true, value: undefined };
      },
    };
  }

  #next(): Promise<IteratorResult<Uint8Array>> {
    const isReady = this.#chunks.length > 0 || this.#ended || this.#left;
    if (isReady) return Promise.resolve(this.#take());
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wakeReader = resolve;
    return promise.then(this.#take);
  }

  /** Takes all waiting bytes in one piece. Done if the channel has ended. */
  readonly #take = (): IteratorResult<Uint8Array> => {
    const [first] = this.#chunks;
    if (first === undefined) return { done: true, value: undefined };
    const value = this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#bytes = 0;
    this.#wakeWriter?.();
    return { done: false, value };
  };

  #wake(): void {
    this.#wakeReader?.();
    this.#wakeReader = undefined;
  }
}
