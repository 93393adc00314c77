import { type Bus, type BusMessage, subjectFilters, usageStream } from '@sluice/bus';
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
  for (const { bytes } of messages) {
    const use = useOf(bytes);
    if (!use) continue;
    const { accountId, keyHash, usedAt } = use;
    const key = `${accountId}/${keyHash}`;
    const known = latest.get(key);
    if (!known || known.usedAt < usedAt) latest.set(key, use);
  }
  return [...latest.values()];
}

/**
 * Every fact comes by here for three of its texts, which its JSON is searched for: parsing all of it costs more
 * than all else. Inside of other texts a name's quotes are escaped, so what is found is the field.
 */
function useOf({ buffer, byteOffset, byteLength }: Uint8Array): KeyUse | undefined {
  const json = Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
  const accountId = textOf(json, '"accountId":"');
  const keyHash = textOf(json, '"keyHash":"');
  const usedAt = textOf(json, '"admittedAt":"');
  if (accountId === '' || accountId.includes('\\') || !isKeyHash(keyHash)) return undefined;
  return isInstant(usedAt) ? { accountId, keyHash, usedAt } : undefined;
}

/** Empty when the field is not there. */
function textOf(json: string, field: string): string {
  const at = json.indexOf(field);
  if (at === -1) return '';
  const start = at + field.length;
  return json.slice(start, Math.max(start, json.indexOf('"', start)));
}

function isInstant(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text);
}
