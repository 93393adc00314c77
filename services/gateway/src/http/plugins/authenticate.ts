import { Fault } from '@sluice/errors';
import type { Clock } from '@sluice/clock-and-ids';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PresentedKey, PrincipalCache } from '../../keys/principal-cache.ts';
import type { KeyCaller } from '../../caller/key-caller.ts';
import type { App } from '../app-types.ts';
import { clientAddress } from '../request/client-address.ts';
import { credentialsOf, presentedKey } from '../request/presented-key.ts';
import { createTokenBuckets } from '../rates/token-bucket.ts';
import { refuse } from './refuse.ts';

export interface AuthenticateDependencies {
  readonly principals: PrincipalCache;
  readonly clock: Clock;
  readonly authFailuresPerMinute: number;
}

/** Keys that an address with too many failures may still have looked up, per allowed failure. */
const lookupsPerFailure = 10;

/** Finds the caller of a request. A key that is sent must be valid, on every route. */
export function authenticate(app: App, dependencies: AuthenticateDependencies): void {
  const { principals, clock, authFailuresPerMinute: perMinute } = dependencies;
  const failures = createTokenBuckets({ perMinute, clock });
  const lookups = createTokenBuckets({ perMinute: perMinute * lookupsPerFailure, clock });

  const fail = (address: string, reply: FastifyReply): never => {
    const taken = failures.take(address);
    if (!taken.allowed) refuse(reply, taken);
    throw new Fault('authentication_invalid');
  };

  const admitted = (found: KeyCaller): KeyCaller => {
    if (found.expiresAtMs !== undefined && clock.now().getTime() >= found.expiresAtMs)
      throw new Fault('api_key_expired', { metadata: { reason: 'key_expired' } });
    return found;
  };

  const lookUp = async (
    { secret, hash }: PresentedKey,
    address: string,
    reply: FastifyReply,
  ): Promise<KeyCaller> => {
    // A key of ours is served however many bad ones its neighbours send; guessing is not.
    if (!principals.hasMet(hash) && !failures.peek(address).allowed) {
      const taken = lookups.take(address);
      if (!taken.allowed) refuse(reply, taken);
    }
    const found = await principals.find({ hash, secret });
    if (!found || found.isDisabled) return fail(address, reply);
    return admitted(found);
  };

  app.decorateRequest('caller', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) return done();
    const header = credentialsOf(request);
    if (header === '') {
      if (needsKey(request)) throw new Fault('authentication_missing');
      return done();
    }
    const presented = presentedKey(header, request.raw.socket);
    if (presented === undefined) return fail(clientAddress(request.ip), reply);
    const known = principals.known(presented);
    if (known !== undefined && !known.isDisabled) {
      request.caller = admitted(known);
      return done();
    }
    lookUp(presented, clientAddress(request.ip), reply).then((caller) => {
      request.caller = caller;
      done();
    }, done);
  });
}

function needsKey(request: FastifyRequest): boolean {
  return request.route.config.auth !== 'public';
}
