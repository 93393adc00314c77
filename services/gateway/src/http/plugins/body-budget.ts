import { Fault } from '@sluice/errors';
import { Refusals } from '@sluice/load-shedding';
import type { Logger } from '@sluice/logging';
import type { Telemetry } from '@sluice/telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewaySettings } from '../../settings.ts';
import type { App } from '../app-types.ts';

/** Smaller ones do not count: they are bounded by the number of connections. */
const smallBytesMax = 64 * 1024;
const retryAfterSeconds = 1;

export interface BodyBudgetDependencies {
  readonly settings: Pick<GatewaySettings, 'bodiesBytesMax'>;
  readonly logger: Logger;
  readonly telemetry: Pick<Telemetry, 'metrics'>;
}

export interface BodyBudget {
  /** Counts the bytes to which a body has been decoded by now. Throws unavailable if there is no room for them. */
  grow(reply: FastifyReply, decodedBytes: number): void;
}

/**
 * Bounds what all bodies together hold in memory, from the head of a request to the end of its reply:
 * each of them may be large, not all at once. A body whose length is not announced counts as its limit.
 */
export function bodyBudget(
  app: App,
  { settings: { bodiesBytesMax }, logger, telemetry }: BodyBudgetDependencies,
): BodyBudget {
  const refusals = new Refusals({ logger, counter: telemetry.metrics.gatewayOverloadRefusals });
  let heldBytes = 0;
  const ofReply = new WeakMap<FastifyReply, number>();
  const hold = (reply: FastifyReply, bytes: number) => {
    const before = ofReply.get(reply);
    const more = bytes - (before ?? 0);
    if (more <= 0) return;
    if (heldBytes + more > bodiesBytesMax) {
      refusals.add('bodies');
      throw new Fault('unavailable', { retryAfterSeconds });
    }
    heldBytes += more;
    ofReply.set(reply, bytes);
    if (before !== undefined) return;
    reply.raw.on('close', () => {
      heldBytes -= ofReply.get(reply) ?? 0;
      ofReply.delete(reply);
    });
  };
  app.addHook('onRequest', (request, reply, done) => {
    const bytes = bytesOf(request);
    if (bytes > 0) hold(reply, bytes);
    done();
  });
  return {
    grow: (reply, decodedBytes) => {
      if (decodedBytes > smallBytesMax && !isStreamed(reply.request)) hold(reply, decodedBytes);
    },
  };
}

const isStreamed = ({ route }: FastifyRequest) => route.config?.body === 'streamed';

/**
 * Returns the bytes of a body that count. A streamed body counts as 0, since few of its bytes are held. So does a small
 * body, and one over the limit, which is refused unread.
 */
function bytesOf(request: FastifyRequest): number {
  if (isStreamed(request)) return 0;
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  const announced = Number(length ?? 0);
  if (coding === undefined && announced <= smallBytesMax) return 0;
  const limit = request.route.bodyLimit ?? 0;
  if (coding !== undefined) return limit;
  return announced > limit ? 0 : announced;
}
