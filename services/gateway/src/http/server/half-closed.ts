import type { FastifyReply } from 'fastify';

const askEveryMs = 500;

/**
 * Finds out whether a client that closed its own side of the connection waits for its answer, or is gone: sends
 * it again and again what every client skips. One that is gone resets the connection. Returns what ends it.
 */
export function askWhenHalfClosed(reply: FastifyReply): () => void {
  const { socket } = reply.request.raw;
  let asking: NodeJS.Timeout | undefined;
  const begin = (): void => {
    ask(reply);
    asking = setInterval(() => ask(reply), askEveryMs);
  };
  if (socket.readableEnded) begin();
  else socket.on('end', begin);
  return () => {
    socket.off('end', begin);
    clearInterval(asking);
  };
}

/** Before the answer a 102 (HTTP/1.1 only), in a stream of events a comment between two of them. */
function ask({ raw, request, streamed }: FastifyReply): void {
  if (raw.destroyed) return;
  if (raw.headersSent) streamed?.writeComment();
  else if (request.raw.httpVersionMinor > 0) raw.writeProcessing();
}
