import { type Bus, subjectFilters, usageStream } from '@sluice/bus';
import type { Queryable } from '@sluice/read-model';
import { noteKeyUses } from '../store/key-uses.ts';
import { latestUses, usesOf } from './latest-uses.ts';

export interface NoteUsesDependencies {
  readonly bus: Pick<Bus, 'consume'>;
  readonly database: Queryable;
}

/** Messages, each of many facts. All are one statement: keys are few, and a key is written once a minute. */
const batchMax = 100;
/** A last use is not read this soon. Under load one statement notes hundreds of requests. */
const batchEveryMs = 1_000;

/**
 * Notes from the usage that is counted anyway when keys were last used, until the signal aborts: a
 * request itself does nothing for it. Facts that come again, or late, change nothing.
 */
export async function noteUses(
  { bus, database }: NoteUsesDependencies,
  signal: AbortSignal,
): Promise<void> {
  await bus.consume({
    stream: usageStream.name,
    durable: 'key-note-uses',
    filter: subjectFilters.usageRecorded,
    batchMax,
    batchEveryMs,
    signal,
    read: usesOf,
    handle: (uses) => noteKeyUses(database, latestUses(uses)),
  });
}
