import { Fault } from '@sluice/errors';
import type { FastifyReply } from 'fastify';
import type { Refused } from '../rates/token-bucket.ts';

/** Sets the headers that only our own 429 carries, and throws it. */
export function refuse(reply: FastifyReply, refused: Refused): never {
  reply.header('x-ratelimit-limit', refused.limit);
  reply.header('x-ratelimit-remaining', 0);
  reply.header('x-ratelimit-reset', refused.resetAtMs);
  throw new Fault('rate_limited', { retryAfterSeconds: refused.retryAfterSeconds });
}
