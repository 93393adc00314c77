import { ServerInterceptingCall, type ServerInterceptor } from '@grpc/grpc-js';

/** Bounds the bytes of one call that are on their way to the connection. A single message may be larger. */
const unsentBytesMax = 256 * 1024;
/** The cost of a message beside its payload. */
const messageBytes = 256;

/** Estimates the length of a message, for a bound of memory. */
export type PayloadBytes = (message: unknown) => number;

/**
 * The server's own stream hands a message to the connection when the one before has been written, which takes a turn
 * of the event loop. Here those of one turn go on together, up to a bound: then it waits as before.
 */
export function sendingAhead(bytesOf: PayloadBytes): ServerInterceptor {
  return (_method, call) => new CallAhead(call, bytesOf);
}

class CallAhead extends ServerInterceptingCall {
  readonly #bytesOf: PayloadBytes;
  #unsentBytes = 0;
  #waiting: (() => void) | undefined;

  constructor(call: ConstructorParameters<typeof ServerInterceptingCall>[0], bytes: PayloadBytes) {
    super(call);
    this.#bytesOf = bytes;
  }

  override sendMessage(message: unknown, callback: () => void): void {
    const bytes = messageBytes + this.#bytesOf(message);
    this.#unsentBytes += bytes;
    super.sendMessage(message, () => {
      this.#unsentBytes -= bytes;
      const waiting = this.#waiting;
      this.#waiting = undefined;
      waiting?.();
    });
    if (this.#unsentBytes < unsentBytesMax) callback();
    else this.#waiting = callback;
  }
}
