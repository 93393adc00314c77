import { timingSafeEqual } from 'node:crypto';
import { ServerInterceptingCall, status, type ServerInterceptor } from '@grpc/grpc-js';
import { Refusal, toStatus } from './refusal.ts';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Clients ask these before they send credentials. */
const openServices = [
  '/event_store.client.server_features.ServerFeatures/',
  '/event_store.client.gossip.Gossip/',
];

/**
 * Every other call needs the one user that there is, an administrator: so stream ACLs never refuse
 * anything, and are kept as metadata only.
 */
export function authentication({ username, password }: Credentials): ServerInterceptor {
  const expected = Buffer.from(
    `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
  );
  return (method, call) => {
    if (openServices.some((service) => method.path.startsWith(service)))
      return new ServerInterceptingCall(call);
    return new ServerInterceptingCall(call, {
      start: (next) => {
        next({
          onReceiveMetadata: (metadata, proceed) => {
            const given = metadata.get('authorization')[0];
            const refusal = refusalOf(given === undefined ? undefined : String(given), expected);
            if (refusal) call.sendStatus(toStatus(refusal));
            else proceed(metadata);
          },
        });
      },
    });
  };
}

function refusalOf(given: string | undefined, expected: Buffer): Refusal | undefined {
  if (given === undefined)
    return new Refusal(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });
  const bytes = Buffer.from(given);
  if (bytes.length === expected.length && timingSafeEqual(bytes, expected)) return undefined;
  return new Refusal(status.UNAUTHENTICATED, 'Unauthenticated', { exception: 'access-denied' });
}
