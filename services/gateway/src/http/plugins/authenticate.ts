import { inspectPresentedKey } from '@sluice/api-key';
import { Fault } from '@sluice/errors';
import type { Clock } from '@sluice/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PrincipalCache } from '../../keys/principal-cache.ts';
import type { ResolvedKey } from '../../keys/resolved-key.ts';
import type { App } from '../app-types.ts';
import { bearerOf } from '../bearer.ts';
import { clientAddress } from '../client-address.ts';
import { createTokenBuckets } from '../token-bucket.ts';
import { refuse } from './refuse.ts';

export interface AuthenticateDependencies {
  readonly principals: PrincipalCache;
  readonly clock: Clock;
  readonly authFailuresPerMinute: number;
}

/** Keys that an address with too many failures may still have looked up, per allowed failure. */
const lookupsPerFailure = 10;

/** Finds out whose key a request carries. A key that is sent must be valid, on every route. */
export function authenticate(app: App, dependencies: AuthenticateDependencies): void {
  const { principals, clock, authFailuresPerMinute: perMinute } = dependencies;
  const failures = createTokenBuckets({ perMinute, clock });
  const lookups = createTokenBuckets({ perMinute: perMinute * lookupsPerFailure, clock });

  const identify = async (
    presented: string,
    address: string,
    reply: FastifyReply,
  ): Promise<ResolvedKey> => {
    const fail = (): never => {
      const taken = failures.take(address);
      if (!taken.allowed) refuse(reply, taken);
      throw new Fault('authentication_invalid');
    };
    const secret = bearerOf(presented);
    const inspected = secret === undefined ? undefined : inspectPresentedKey(secret);
    if (secret === undefined || inspected === undefined) return fail();
    // A key of ours is served however many bad ones its neighbours send; guessing is not.
    if (!principals.hasMet(inspected.hash) && !failures.peek(address).allowed) {
      const taken = lookups.take(address);
      if (!taken.allowed) refuse(reply, taken);
    }
    const found = await principals.find({ hash: inspected.hash, secret });
    if (!found || found.isDisabled) return fail();
    if (found.expiresAtMs !== undefined && clock.now().getTime() >= found.expiresAtMs)
      throw new Fault('api_key_expired', { metadata: { reason: 'key_expired' } });
    return found;
  };

  app.decorateRequest('caller', undefined);
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) return;
    const presented = request.headers.authorization?.trim() ?? '';
    if (presented !== '')
      request.caller = await identify(presented, clientAddress(request.ip), reply);
    else if (needsKey(request)) throw new Fault('authentication_missing');
  });
}

function needsKey(request: FastifyRequest): boolean {
  return request.routeOptions.config.auth !== 'public';
}
