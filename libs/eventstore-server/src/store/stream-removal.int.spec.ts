import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { append, everything } from '../testing/events.ts';
import { openStore, scratchDirectory } from '../testing/scratch.ts';
import type { EventLogStore } from './event-log-store.ts';
import { metastreamOf } from './stream-metadata.ts';
import { viewStream } from './stream-view.ts';

const view = (store: EventLogStore, stream: string, nowMs = Date.now()) =>
  viewStream(store.index, store.index.stream(stream), nowMs);

/** A store with three events in `a-1`; `again` gives a new process over the same log. */
async function threeEvents(nowMs?: () => number) {
  const directory = await scratchDirectory();
  const store = await openStore(directory, nowMs ? { nowMs } : {});
  for (let n = 0; n < 3; n++) await append(store, 'a-1', { n });
  const again = async () => {
    await store.close();
    return await openStore(directory);
  };
  return { store, again };
}

const setMetadata = (store: EventLogStore, metadata: object) =>
  append(store, metastreamOf('a-1'), metadata);

describe('stream metadata', () => {
  test('hides all but the newest events with $maxCount, also after a restart', async () => {
    const { store, again } = await threeEvents();
    await setMetadata(store, { $maxCount: 2 });
    deepEqual(view(store, 'a-1'), { kind: 'shown', first: 1, last: 2 });
    deepEqual(view(await again(), 'a-1'), { kind: 'shown', first: 1, last: 2 });
  });

  test('hides everything below $tb, and what was hidden counts on', async () => {
    const { store } = await threeEvents();
    await setMetadata(store, { $tb: 3 });
    deepEqual(view(store, 'a-1'), { kind: 'shown', first: 3, last: 2 });
    await append(store, 'a-1', { n: 3 }, 2);
    deepEqual(view(store, 'a-1'), { kind: 'shown', first: 3, last: 3 });
  });

  test('hides events older than $maxAge', async () => {
    let nowMs = 1_000_000;
    const { store } = await threeEvents(() => (nowMs += 10_000));
    await setMetadata(store, { $maxAge: 15 });
    deepEqual(view(store, 'a-1', 1_030_000), { kind: 'shown', first: 1, last: 2 });
    deepEqual(view(store, 'a-1', 1_100_000), { kind: 'shown', first: 3, last: 2 });
  });

  test('that is no object or has no sense hides nothing', async () => {
    const { store } = await threeEvents();
    for (const metadata of [[], null, 'text', { $maxCount: -1, $tb: 'x', $maxAge: 0 }]) {
      await append(store, metastreamOf('a-1'), metadata);
      deepEqual(view(store, 'a-1'), { kind: 'shown', first: 0, last: 2 });
    }
  });

  test('is itself seen in its newest version only', async () => {
    const { store } = await threeEvents();
    await setMetadata(store, { $maxCount: 2 });
    await setMetadata(store, { $maxCount: 1 });
    deepEqual(view(store, metastreamOf('a-1')), { kind: 'shown', first: 1, last: 1 });
  });
});

describe('a soft delete', () => {
  test('makes a stream look absent, and the next append goes on behind what was there', async () => {
    const { store, again } = await threeEvents();
    await setMetadata(store, { $maxCount: 5 });
    equal((await store.softDelete('a-1', 2)).kind, 'written');
    deepEqual(view(store, 'a-1'), { kind: 'not_found' });
    equal((await append(store, 'a-1', {}, 'stream_exists')).kind, 'stream_deleted');
    const appended = await append(store, 'a-1', { n: 3 }, 'no_stream');
    equal(appended.kind === 'written' && appended.revision, 3);
    deepEqual(view(await again(), 'a-1'), { kind: 'shown', first: 3, last: 3 });
  });

  test('is ended by new metadata too, which keeps what it says', async () => {
    const { store } = await threeEvents();
    await store.softDelete('a-1', 'any');
    await setMetadata(store, { $maxCount: 7 });
    deepEqual(view(store, 'a-1'), { kind: 'shown', first: 3, last: 2 });
    deepEqual(store.index.stream('a-1')?.metadata.raw, { $maxCount: 7, $tb: 3 });
  });

  test('of nothing is refused whatever is expected', async () => {
    const store = await openStore(await scratchDirectory());
    for (const expected of ['any', 'no_stream', 'stream_exists', 3] as const)
      equal((await store.softDelete('a-1', expected)).kind, 'wrong_expected_version');
    equal(store.index.count, 0);
  });

  test('at a wrong revision is refused', async () => {
    const { store } = await threeEvents();
    deepEqual(await store.softDelete('a-1', 1), {
      kind: 'wrong_expected_version',
      currentRevision: 2,
    });
    deepEqual(view(store, 'a-1'), { kind: 'shown', first: 0, last: 2 });
  });
});

describe('a tombstone', () => {
  test('ends a stream for ever, also after a restart', async () => {
    const { store, again } = await threeEvents();
    equal((await store.tombstone('a-1', 2)).kind, 'written');
    for (const each of [store, await again()]) {
      deepEqual(view(each, 'a-1'), { kind: 'deleted' });
      if (each === store) continue;
      for (const expected of ['any', 'no_stream', 'stream_exists', 2] as const)
        equal((await append(each, 'a-1', {}, expected)).kind, 'stream_deleted');
      equal((await setMetadata(each, { $maxCount: 1 })).kind, 'stream_deleted');
      equal((await each.softDelete('a-1', 'any')).kind, 'stream_deleted');
      equal((await each.tombstone('a-1', 'any')).kind, 'stream_deleted');
    }
  });

  test('is an event of the log like any other', async () => {
    const { store } = await threeEvents();
    await store.tombstone('a-1', 'any');
    const last = (await everything(store)).at(-1);
    deepEqual(
      [last?.stream, last?.record.type, last?.revision],
      ['a-1', '$streamDeleted', undefined],
    );
  });

  test('may be set on a stream that never was', async () => {
    const store = await openStore(await scratchDirectory());
    equal((await store.tombstone('a-1', 'no_stream')).kind, 'written');
    equal((await append(store, 'a-1', {})).kind, 'stream_deleted');
  });

  test('at a wrong revision is refused', async () => {
    const { store } = await threeEvents();
    equal((await store.tombstone('a-1', 5)).kind, 'wrong_expected_version');
    equal((await append(store, 'a-1', {})).kind, 'written');
  });
});
