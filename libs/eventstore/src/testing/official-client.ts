import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { onTestFinished } from 'vitest';
import { startEventStoreServer, type EventStoreServerOptions } from '@sluice/eventstore-server';
import { selfSigned } from './self-signed.ts';

export const credentials = { username: 'admin', password: 'changeit' };

/** A node of the running test without TLS, and the official client as it is. */
export async function insecureNode(options: Partial<EventStoreServerOptions> = {}) {
  const directory = await scratchDirectory();
  const server = await startEventStoreServer({ port: 0, ...options, directory });
  onTestFinished(() => server.stop());
  const address = `127.0.0.1:${server.port}`;
  return { server, address, client: clientOf(`esdb://${address}?tls=false`) };
}

/** The same with TLS; the client has the credentials that a new node accepts. */
export async function secureNode() {
  const directory = await scratchDirectory();
  const tls = selfSigned();
  const server = await startEventStoreServer({ port: 0, directory, tls });
  onTestFinished(() => server.stop());
  const authority = join(directory, 'authority.crt');
  await writeFile(authority, tls.certificate);
  const address = `127.0.0.1:${server.port}`;
  const url = (user: string) => `esdb://${user}${address}?tls=true&tlsCAFile=${authority}`;
  const { username, password } = credentials;
  return { server, address, url, client: clientOf(url(`${username}:${password}@`)) };
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
