import type { FastifyReply } from 'fastify';

const askEveryMs = 500;

/**
 * Finds out whether a client that closed its own side of the connection waits for its answer, or is gone: sends
 * it again and again what every client skips. One that is gone resets the connection.
 */
export class HalfClosed {
  readonly #reply: FastifyReply;
  #asking: NodeJS.Timeout | undefined;

  constructor(reply: FastifyReply) {
    this.#reply = reply;
    const { socket } = reply.request.raw;
    if (socket.readableEnded) this.#begin();
    else socket.on('end', this.#begin);
  }

  /** Ends it with the reply. */
  stop(): void {
    this.#reply.request.raw.socket.off('end', this.#begin);
    clearInterval(this.#asking);
  }

  readonly #begin = (): void => {
    ask(this.#reply);
    this.#asking = setInterval(() => ask(this.#reply), askEveryMs);
  };
}

/** Before the answer a 102 (HTTP/1.1 only), in a stream of events a comment between two of them. */
function ask({ raw, request, streamed }: FastifyReply): void {
  if (raw.destroyed) return;
  if (raw.headersSent) streamed?.writeComment();
  else if (request.raw.httpVersionMinor > 0) raw.writeProcessing();
}
