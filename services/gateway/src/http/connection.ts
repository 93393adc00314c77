import { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Calls back once, when the whole reply has left or cannot leave any more. */
export function whenEnded(
  reply: FastifyReply,
  callback: (outcome: 'finished' | 'aborted') => void,
): void {
  // It closes once: `once` would wrap the callback for nothing.
  reply.raw.on('close', () => callback(reply.hasLeft ? 'finished' : 'aborted'));
}

/** Aborted when the connection closes before the whole reply has left. */
export function clientGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  if (reply.raw.destroyed) gone.abort();
  const { socket } = reply.request.raw;
  let asking: NodeJS.Timeout | undefined;
  const ask = () => {
    asking ??= setInterval(ask, askEveryMs);
    if (!askWhetherListening(reply)) clearInterval(asking);
  };
  if (socket.readableEnded) ask();
  else socket.on('end', ask);
  whenEnded(reply, (outcome) => {
    socket.off('end', ask);
    clearInterval(asking);
    if (outcome === 'aborted') gone.abort();
  });
  return gone.signal;
}

const askEveryMs = 500;

/**
 * A client that closed its own side waits for the answer, or is gone. Sends it a 102, which a client of HTTP/1.1
 * skips: one that is gone resets the connection, and the next 102 finds that out. False: there is nothing to ask.
 */
function askWhetherListening({ raw, request }: FastifyReply): boolean {
  if (raw.headersSent || raw.destroyed || request.raw.httpVersionMinor === 0) return false;
  raw.writeProcessing();
  return true;
}

/** For this request, a connection without traffic is no idle one: a model may think for minutes. */
export function keepConnection({ raw }: FastifyRequest): void {
  if (raw.socket instanceof Socket) raw.socket.setTimeout(0);
}
