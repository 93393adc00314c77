import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { onTestFinished } from 'vitest';
import { startEventStoreServer, type EventStoreServerOptions } from '@sluice/eventstore-server';

/** Starts a node that the running test stops, and connects the official client. */
export async function embeddedNode(options: Partial<EventStoreServerOptions> = {}) {
  const directory = await scratchDirectory();
  const server = await startEventStoreServer({ port: 0, ...options, directory });
  onTestFinished(() => server.stop());
  const { url } = server;
  const { username, password, host: address } = new URL(url);
  return {
    server,
    directory,
    address,
    url,
    client: clientOf(url),
    credentials: { username, password },
  };
}

export function clientOf(url: string): EventStoreDBClient {
  const client = EventStoreDBClient.connectionString(url);
  onTestFinished(() => client.dispose());
  return client;
}

export function thing(n: unknown = 0, type = 'ThingHappened') {
  return jsonEvent({ type, data: { n }, metadata: { schemaVersion: 1 } });
}

async function scratchDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-eventstore-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
