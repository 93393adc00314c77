import type { Clock } from '@sluice/clock-and-ids';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewaySettings } from '../../settings.ts';
import { rateOf, type App } from '../app-types.ts';
import { clientAddress } from '../request/client-address.ts';
import { createTokenBuckets } from '../rates/token-bucket.ts';
import { refuse } from './refuse.ts';

export interface RateLimitDependencies {
  readonly clock: Clock;
  readonly settings: GatewaySettings;
}

const retrySoonSeconds = 1;

/** Limits the requests per minute of a caller, of an account, or of an address, and the open requests of an account. */
export function rateLimit(app: App, { clock, settings }: RateLimitDependencies): void {
  const bucketsOf = (perMinute: number) => createTokenBuckets({ perMinute, clock });
  const buckets = {
    inference: bucketsOf(settings.inferenceRequestsPerMinute),
    keys: bucketsOf(settings.keyRequestsPerMinute),
    management: bucketsOf(settings.managementRequestsPerMinute),
    analytics: bucketsOf(settings.analyticsQueriesPerMinute),
  };
  const open = new Map<string, number>();

  app.addHook('onRequest', (request, reply, done) => {
    const { config } = request.route;
    const rate = rateOf(config);
    // All keys of an account ask the same tables.
    const caller = rate === 'analytics' ? request.caller?.accountId : request.caller?.callerId();
    const taken = buckets[rate].take(caller ?? clientAddress(request.ip));
    if (!taken.allowed) refuse(reply, taken);
    if (config.auth === 'inference') enter(request, reply);
    done();
  });

  const enter = (request: FastifyRequest, reply: FastifyReply) => {
    const account = request.caller?.accountId ?? '';
    const limit = settings.inferenceOpenMax;
    const count = open.get(account) ?? 0;
    if (count >= limit)
      refuse(reply, {
        allowed: false,
        limit,
        retryAfterSeconds: retrySoonSeconds,
        resetAtMs: clock.now().getTime() + retrySoonSeconds * 1000,
      });
    open.set(account, count + 1);
    reply.raw.on('close', () => {
      const left = (open.get(account) ?? 1) - 1;
      if (left === 0) open.delete(account);
      else open.set(account, left);
    });
  };
}
