import { type Bus, type BusMessage, subjectFilters, usageStream } from '@sluice/bus';
import type { UsageRecorded } from '@sluice/protos/sluice/usage/v1/usage_events';
import type { Queryable } from '@sluice/read-model';
import { isKeyHash } from '../store/key-hash.ts';
import { type KeyUse, noteKeyUses } from '../store/key-uses.ts';

export interface NoteUsesDependencies {
  readonly bus: Pick<Bus, 'consume'>;
  readonly database: Queryable;
}

/** Many facts are one statement: keys are few, and a key is written once a minute. */
const batchMax = 1_000;
/** Nobody reads a last use this soon; under load a statement notes hundreds of requests. */
const lingerMs = 200;

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
    lingerMs,
    signal,
    handle: (messages) => noteKeyUses(database, latestUses(messages)),
  });
}

/** One per key. What is no fact of usage is for the ledger to complain about. */
function latestUses(messages: readonly BusMessage[]): readonly KeyUse[] {
  const latest = new Map<string, KeyUse>();
  for (const { data } of messages) {
    const use = useOf(data);
    if (!use) continue;
    const { accountId, keyHash, usedAt } = use;
    const key = `${accountId}/${keyHash}`;
    const known = latest.get(key);
    if (!known || known.usedAt < usedAt) latest.set(key, use);
  }
  return [...latest.values()];
}

function useOf(data: unknown): KeyUse | undefined {
  const { accountId, keyHash, admittedAt } = (data ?? {}) as Partial<Record<Field, unknown>>;
  if (typeof accountId !== 'string' || accountId === '') return undefined;
  if (typeof keyHash !== 'string' || !isKeyHash(keyHash)) return undefined;
  if (typeof admittedAt !== 'string' || !isInstant(admittedAt)) return undefined;
  return { accountId, keyHash, usedAt: admittedAt };
}

type Field = keyof Pick<UsageRecorded, 'accountId' | 'keyHash' | 'admittedAt'>;

function isInstant(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text);
}
