import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { eventStoreContract } from '@sluice/es/testing';
import { startEventStoreServer, type EventStoreServer } from '@sluice/eventstore-server';
import { connectEventStore, type ConnectedEventStore } from './index.ts';

let directory: string;
let server: EventStoreServer;
let store: ConnectedEventStore;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'eventstore-contract-'));
  server = await startEventStoreServer({ directory, port: 0 });
  store = await connectEventStore({ url: `esdb://127.0.0.1:${server.port}?tls=false` });
});

afterAll(async () => {
  await store.stop();
  await server.stop();
  await rm(directory, { recursive: true });
});

eventStoreContract({ name: 'embedded node through the official client', open: async () => store });
