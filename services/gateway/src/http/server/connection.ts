import { Socket } from 'node:net';
import { CallAbort, type CallSignal } from '@sluice/inference-port';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HalfClosed } from './half-closed.ts';

/** Calls back once, when the whole reply has left or cannot leave any more. */
export function whenEnded(
  reply: FastifyReply,
  callback: (outcome: 'finished' | 'aborted') => void,
): void {
  // It closes once: `once` would wrap the callback for nothing.
  reply.raw.on('close', () => callback(reply.hasLeft ? 'finished' : 'aborted'));
}

/** Aborted when the connection closes before the whole reply has left. */
export function clientGone(reply: FastifyReply): CallSignal {
  const gone = new CallAbort();
  const halfClosed = new HalfClosed(reply);
  const ended = (outcome: 'finished' | 'aborted') => {
    halfClosed.stop();
    if (outcome === 'aborted') gone.abort(new Error('the client has left'));
  };
  if (reply.raw.destroyed) ended('aborted');
  else whenEnded(reply, ended);
  return gone;
}

/** For this request, a connection without traffic is no idle one: a model may think for minutes. */
export function keepConnection({ raw }: FastifyRequest): void {
  if (raw.socket instanceof Socket) raw.socket.setTimeout(0);
}
