import { BACKWARDS, END, FORWARDS, StreamNotFoundError } from '@eventstore/db-client';
import type { EventStoreDBClient, ReadStreamOptions } from '@eventstore/db-client';
import type { AppendResult, ExpectedRevision, RecordedEvent } from '@sluice/es';
import { readOnce } from './read-once.ts';

/** An append without a revision lies this far from the end of its stream at most. */
const tailEventsMax = 200;

export interface AppendedIds {
  readonly stream: string;
  readonly ids: readonly string[];
  readonly expected: ExpectedRevision;
}

/** Reads where these events would lie, had they been written; undefined when they were not. */
export async function findAppended(
  client: EventStoreDBClient,
  { stream, ids, expected }: AppendedIds,
): Promise<AppendResult | undefined> {
  const events = await readAll(client, stream, where(expected, ids.length));
  const start = events.findIndex(({ id }) => id === ids[0]);
  const there = start < 0 ? [] : events.slice(start, start + ids.length);
  const last = there.at(-1);
  if (!last || there.length < ids.length) return undefined;
  if (there.some(({ id }, index) => id !== ids[index])) return undefined;
  return { revision: last.revision, position: last.position };
}

function where(expected: ExpectedRevision, count: number): ReadStreamOptions {
  if (expected === 'any' || expected === 'stream_exists')
    return { fromRevision: END, direction: BACKWARDS, maxCount: tailEventsMax + count };
  const fromRevision = expected === 'no_stream' ? 0n : expected + 1n;
  return { fromRevision, direction: FORWARDS, maxCount: count };
}

/** Returns the events in the order of the stream. */
async function readAll(
  client: EventStoreDBClient,
  stream: string,
  options: ReadStreamOptions,
): Promise<readonly RecordedEvent[]> {
  try {
    const events = await Array.fromAsync(readOnce(client, stream, options));
    return options.direction === BACKWARDS ? events.toReversed() : events;
  } catch (error) {
    if (error instanceof StreamNotFoundError) return [];
    throw error;
  }
}
