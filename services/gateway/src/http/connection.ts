import { Socket } from 'node:net';
import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Calls back once, when the whole reply has left or cannot leave any more. */
export function whenEnded(
  response: ServerResponse,
  callback: (outcome: 'finished' | 'aborted') => void,
): void {
  let outcome: 'finished' | 'aborted' = 'aborted';
  response.once('finish', () => {
    outcome = 'finished';
  });
  response.once('close', () => callback(outcome));
}

/** Aborted when the connection closes before the whole reply has left. */
export function clientGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  if (raw.destroyed) gone.abort();
  whenEnded(raw, (outcome) => {
    if (outcome === 'aborted') gone.abort();
  });
  return gone.signal;
}

/** For this request, a connection without traffic is no idle one: a model may think for minutes. */
export function keepConnection({ raw }: FastifyRequest): void {
  if (raw.socket instanceof Socket) raw.socket.setTimeout(0);
}
