import { deepEqual, match, ok, rejects } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectedEventStore, connectEventStore } from '@sluice/eventstore';
import { startEventStoreServer } from '@sluice/eventstore-server';
import { eventually } from '@sluice/patience';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import { organizationId, type WorkspaceWorld, workspaceWorld } from './testing/workspace-world.ts';

let directory: string;
let server: Awaited<ReturnType<typeof startEventStoreServer>>;
let world: WorkspaceWorld;
const stores: ConnectedEventStore[] = [];

const connect = async (url: string) => {
  const store = await connectEventStore({ url });
  stores.push(store);
  return store;
};

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-readiness-'));
  server = await startEventStoreServer({ directory, port: 0 });
  const eventStore = await connect(server.url);
  world = await workspaceWorld({ postgresUrl: inject('postgresUrl'), eventStore });
  await world.create();
});
afterEach(async () => {
  await world.stop();
  for (const store of stores.splice(0)) await store.stop();
  await server.stop();
  await rm(directory, { recursive: true, force: true });
});

/** Milliseconds within which commands must work after the store is back. */
const commandsWorkAfterMs = 2_000;
/** A test machine may be slower by this factor. */
const slowdown = 4;

/** Waits until the service says so; it stays ready. */
async function degraded(reason: RegExp): Promise<void> {
  await eventually(() => {
    match(world.service.degradation().join('\n'), reason);
    deepEqual(world.service.unreadiness(), []);
  });
  const page = { accountId: organizationId, offset: 0, limit: 10 };
  deepEqual((await world.client.listWorkspaces(page)).totalCount, 1);
}

describe('a service that has its read models stays ready and names', () => {
  test('credentials that are refused', async () => {
    const url = server.url.replace(/:[^:@]+@/, ':wrong-password@');
    await world.restart({ eventStore: await connect(url) });
    await degraded(/^the event store refuses since .+: The event store refused the credentials$/m);
  });

  test('a store that was away when it started, until the store is there', async () => {
    const { port } = new URL(server.url.replace('esdb:', 'http:'));
    await server.stop();
    await world.restart({ eventStore: await connect(server.url) });
    await degraded(/^the event store is away since .+$/m);
    await rejects(world.create(), { code: 'event_store_unavailable' });

    server = await startEventStoreServer({ directory, port: Number(port) });
    const backMs = performance.now();
    await eventually(() => world.create());
    const tookMs = performance.now() - backMs;
    ok(tookMs < slowdown * commandsWorkAfterMs, `commands worked after ${tookMs} ms`);
    await eventually(() => deepEqual(world.service.degradation(), []));
  });
});
