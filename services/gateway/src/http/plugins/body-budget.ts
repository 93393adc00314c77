import { Fault } from '@sluice/errors';
import type { FastifyRequest } from 'fastify';
import type { GatewaySettings } from '../../settings.ts';
import type { App } from '../app-types.ts';

/** Smaller ones do not count: they are bounded by the number of connections. */
const smallBytesMax = 64 * 1024;
const retryAfterSeconds = 1;

/**
 * Bounds what all bodies together hold in memory, from the head of a request to the end of its reply:
 * each of them may be large, not all at once. A body whose length is not announced counts as its limit.
 */
export function bodyBudget(
  app: App,
  { bodiesBytesMax }: Pick<GatewaySettings, 'bodiesBytesMax'>,
): void {
  let heldBytes = 0;
  app.addHook('onRequest', (request, reply, done) => {
    const bytes = bytesOf(request);
    if (bytes > 0) {
      if (heldBytes + bytes > bodiesBytesMax) throw new Fault('unavailable', { retryAfterSeconds });
      heldBytes += bytes;
      reply.raw.on('close', () => {
        heldBytes -= bytes;
      });
    }
    done();
  });
}

/**
 * Returns the bytes of a body that count. A small body counts as 0, and so does one over the limit, which is refused
 * unread.
 */
function bytesOf(request: FastifyRequest): number {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  const announced = Number(length ?? 0);
  if (coding === undefined && announced <= smallBytesMax) return 0;
  const limit = request.route.bodyLimit ?? 0;
  if (coding !== undefined) return limit;
  return announced > limit ? 0 : announced;
}
