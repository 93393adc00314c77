import { randomUUID } from 'node:crypto';
import type { AppendResult, EventStore, RecordedEvent } from '@sluice/es';
import { eachInOrder } from '../each-in-order.ts';
import type { Projection } from '../projection.ts';
import { readLog } from '../rebuild/read-log.ts';
import type { Queryable } from '../statement.ts';

/** A read model of two tables that shows every event that is applied twice or not at all. */
export const thingsProjection: Projection = {
  projection: 'test.things',
  version: 1,
  streamPrefixes: ['thing-'],
  tables: ['things', 'thing_texts'],
  readingIndexes: ['things_by_events'],
  apply: applyToThings,
};

async function applyToThings(transaction: Queryable, events: readonly RecordedEvent[]) {
  await eachInOrder(events, async ({ stream, data }) => {
    const values = [stream, textOf(data)];
    const things = transaction.query({
      name: 'note-thing',
      text: `INSERT INTO things (stream, texts, events) VALUES ($1, $2, 1)
             ON CONFLICT (stream) DO UPDATE
             SET texts = things.texts || ' ' || excluded.texts, events = things.events + 1`,
      values,
    });
    const thingTexts = transaction.query({
      name: 'note-text',
      text: 'INSERT INTO thing_texts (stream, text) VALUES ($1, $2)',
      values,
    });
    await Promise.all([things, thingTexts]);
  });
}

export interface ThingRow {
  readonly stream: string;
  readonly texts: string;
  readonly events: bigint;
}

/** Returns the rows that the table must hold, computed from the log alone. */
export async function foldThings(
  eventStore: EventStore,
  streamPrefixes = thingsProjection.streamPrefixes,
): Promise<readonly ThingRow[]> {
  const texts = new Map<string, string[]>();
  const { signal } = new AbortController();
  for await (const batch of readLog({ eventStore, streamPrefixes, after: undefined, signal }))
    for (const message of batch)
      if (message.kind === 'event') {
        const { stream, data } = message.event;
        texts.set(stream, [...(texts.get(stream) ?? []), textOf(data)]);
      }
  return [...texts]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([stream, all]) => ({ stream, texts: all.join(' '), events: BigInt(all.length) }));
}

export async function thingRows(readModel: Queryable): Promise<readonly ThingRow[]> {
  const text = 'SELECT stream, texts, events FROM things ORDER BY stream';
  return await readModel.query<ThingRow>({ name: 'all-things', text, values: [] });
}

/** `<number>.0`, `<number>.1`, … as one event each. */
export function texts(number: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${number}.${index}`);
}

export async function appendTexts(
  eventStore: EventStore,
  stream: string,
  ...all: readonly string[]
): Promise<AppendResult> {
  const commandId = randomUUID();
  const events = all.map((text) => ({
    id: randomUUID(),
    type: 'ThingNoted',
    data: { text },
    metadata: {
      schemaVersion: 1,
      occurredAt: '2026-01-02T03:04:05.678Z',
      commandId,
      actor: { type: 'system' as const, id: 'spec' },
      requestId: 'req-1',
      $correlationId: 'req-1',
      $causationId: commandId,
    },
  }));
  return await eventStore.append(stream, events, 'any');
}

export const textOf = (data: unknown) => (data as { text: string }).text;
