import { readFile } from 'node:fs/promises';
import { credentials, type ChannelCredentials } from '@grpc/grpc-js';
import { Fault } from '@sluice/errors';
import { requireUsableAddress, type StoreAddress } from '@sluice/eventstore';
import type { Access } from './asked-server.ts';

/**
 * Turns a connection string into how its server is reached. Throws a fault, without the password, for a string that is
 * none, for several hosts and for a CA file that cannot be read.
 */
export async function accessOf(url: string): Promise<Access> {
  const store = requireUsableAddress(url);
  const [first, ...others] = store.hosts;
  if (!first || others.length > 0)
    throw new Fault('event_store_unavailable', {
      message: 'The event store URL names several hosts. Name the one that is to be asked.',
    });
  const address = `${first.host}:${first.port}`;
  return { address, channel: await channelTo(store), user: store.credentials };
}

async function channelTo({ tls, caFile }: StoreAddress): Promise<ChannelCredentials> {
  if (!tls) return credentials.createInsecure();
  return credentials.createSsl(caFile === undefined ? null : await readFile(caFile));
}
