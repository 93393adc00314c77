import { deepEqual } from 'node:assert/strict';
import { test } from 'vitest';
import { inMemoryEventStore } from './in-memory-event-store.ts';
import { storeUntil } from './store-until.ts';

test('a stream has the events that were recorded by the instant', async () => {
  let nowMs = 0;
  const store = inMemoryEventStore({ now: () => new Date(nowMs) });
  const metadata = {
    schemaVersion: 1,
    occurredAt: new Date(0).toISOString(),
    commandId: 'c',
    actor: { type: 'system', id: 's' },
    requestId: 'r',
    $correlationId: 'r',
    $causationId: 'c',
  } as const;
  for (const [index, atMs] of [1_000, 2_000, 2_000, 3_000].entries()) {
    nowMs = atMs;
    const id = `0190a000-0000-7000-8000-00000000000${index}`;
    await store.append('thing-1', [{ id, type: 'Done', data: {}, metadata }], 'any');
  }
  const revisionsAt = async (atMs: number, from?: bigint) => {
    const revisions: bigint[] = [];
    for await (const { revision } of storeUntil(store, new Date(atMs)).read('thing-1', from))
      revisions.push(revision);
    return revisions;
  };
  deepEqual(await revisionsAt(999), []);
  deepEqual(await revisionsAt(2_000), [0n, 1n, 2n]);
  deepEqual(await revisionsAt(2_999, 1n), [1n, 2n]);
  deepEqual(await revisionsAt(9_000), [0n, 1n, 2n, 3n]);
});
