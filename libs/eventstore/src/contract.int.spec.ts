import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { eventStoreContract } from '@sluice/es/testing';
import { startEventStoreServer } from '@sluice/eventstore-server';
import { connectEventStore } from './index.ts';
import { givenUrl as given } from './testing/given-server.ts';

const cleanUps: (() => Promise<unknown>)[] = [];

afterAll(async () => {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp();
});

async function embeddedNode(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-eventstore-'));
  cleanUps.push(() => rm(directory, { recursive: true, force: true }));
  const server = await startEventStoreServer({ directory, port: 0 });
  cleanUps.push(() => server.stop());
  return server.url;
}

eventStoreContract({
  name: `${given === undefined ? 'embedded node' : 'given server'} through the official client`,
  open: async () => {
    const store = await connectEventStore({ url: given ?? (await embeddedNode()) });
    cleanUps.push(() => store.stop());
    return store;
  },
});
