import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  startEventStoreServer,
  type EventStoreServer,
  type EventStoreServerOptions,
} from '@sluice/eventstore-server';

/** A node of the running test that can be stopped and started again at the same address. */
export async function restartableNode(options: Partial<EventStoreServerOptions> = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-eventstore-'));
  let server: EventStoreServer = await startEventStoreServer({ port: 0, ...options, directory });
  const { port, url } = server;
  const node = {
    url,
    secretsDirectory: options.secretsDirectory ?? join(directory, 'secrets'),
    stop: () => server.stop(),
    start: async () => {
      server = await startEventStoreServer({ ...options, directory, port });
    },
    restart: async () => {
      await node.stop();
      await node.start();
    },
  };
  onTestFinished(async () => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  });
  return node;
}
