import { timingSafeEqual } from 'node:crypto';
import {
  type Metadata,
  ServerInterceptingCall,
  status,
  type ServerInterceptor,
} from '@grpc/grpc-js';
import type { Credentials } from '../access/node-access.ts';
import { accessDenied, Refusal, toStatus } from './refusal.ts';

/**
 * A real node answers these without credentials: clients ask them before they send any. A batch append is
 * answered with `AccessDenied` to each append in it, which its handler does.
 */
const openPaths = [
  '/event_store.client.server_features.ServerFeatures/',
  '/event_store.client.gossip.Gossip/',
  '/event_store.client.streams.Streams/BatchAppend',
];

/**
 * Every other call needs the one user that there is, an administrator: so stream ACLs never refuse
 * anything, and are kept as metadata only. Wrong credentials are refused for every call.
 */
export function authentication({ username, password }: Credentials): ServerInterceptor {
  const expected = Buffer.from(
    `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
  );
  return (method, call) => {
    const isOpen = openPaths.some((path) => method.path.startsWith(path));
    return new ServerInterceptingCall(call, {
      start: (next) => {
        next({
          onReceiveMetadata: (metadata, proceed) => {
            const refusal = refusalOf(metadata, expected, isOpen);
            if (refusal) call.sendStatus(toStatus(refusal));
            else proceed(metadata);
          },
        });
      },
    });
  };
}

/** Returns true if the call has no credentials. `authentication` has refused wrong ones before. */
export function isAnonymous(metadata: Metadata): boolean {
  return metadata.get('authorization').length === 0;
}

function refusalOf(metadata: Metadata, expected: Buffer, isOpen: boolean): Refusal | undefined {
  if (isAnonymous(metadata)) return isOpen ? undefined : accessDenied();
  const given = metadata.get('authorization');
  const bytes = Buffer.from(String(given[0]));
  const isRight =
    given.length === 1 && bytes.length === expected.length && timingSafeEqual(bytes, expected);
  return isRight ? undefined : new Refusal(status.UNAUTHENTICATED, 'Unauthenticated');
}
