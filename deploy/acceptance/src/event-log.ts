import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectEventStore, type ConnectedEventStore } from '@sluice/eventstore';
import { connectionsOf } from './connections.ts';
import type { Instance } from './instance.ts';

type EventToAppend = Parameters<ConnectedEventStore['append']>[1][number];

const services = join(import.meta.dirname, '../../../services');

/** Connects to the event store of an instance, in its namespace. */
export async function eventStoreOf(instance: Instance): Promise<ConnectedEventStore> {
  const { eventstore_url: url, event_key: eventKey } = await connectionsOf(instance);
  return await connectEventStore({ url, eventKey });
}

/** Reads the whole log: stream → the ids of its events. */
export async function readStreams(
  store: ConnectedEventStore,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const streams = new Map<string, string[]>();
  const stopping = new AbortController();
  const subscription = { after: 'start', streamPrefixes: [''], signal: stopping.signal } as const;
  for await (const batch of store.subscribe(subscription)) {
    for (const message of batch) {
      if (message.kind !== 'event') continue;
      const { stream, id } = message.event;
      streams.set(stream, [...(streams.get(stream) ?? []), id]);
    }
    if (batch.some(({ kind }) => kind === 'caught_up')) stopping.abort();
  }
  return streams;
}

/** Returns an event that carries our metadata, as a release that nobody knows would have written it. */
export function anEventOfOurs(type: string): EventToAppend {
  const commandId = randomUUID();
  return {
    id: randomUUID(),
    type,
    data: { shape: 'none' },
    metadata: {
      schemaVersion: 1,
      occurredAt: '2026-01-02T03:04:05.678Z',
      commandId,
      actor: { type: 'system', id: 'spec' },
      requestId: 'req-1',
      $correlationId: 'req-1',
      $causationId: commandId,
    },
  };
}

/** Returns the names of the projections, or of the reactions, that the source code of the services has. */
export async function namesInSource(
  folder: 'projections' | 'reactions',
): Promise<readonly string[]> {
  const files = await readdir(services, { recursive: true });
  const ours = files.filter((file) => file.includes(`/src/${folder}/`) && file.endsWith('.ts'));
  const texts = await Promise.all(ours.map((file) => readFile(join(services, file), 'utf8')));
  const names = texts.flatMap((text) =>
    [...text.matchAll(/[ {]projection: '([a-z_.]+)',/g)].map(([, name = '']) => name),
  );
  return names.toSorted();
}
