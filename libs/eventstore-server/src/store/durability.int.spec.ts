import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { openGates } from '../log/append-log.ts';
import { anEvent, append, everyData } from '../testing/events.ts';
import { openStore, scratchDirectory } from '../testing/scratch.ts';

/** A gate that is closed and opened by the test; `arrivals` counts who came to it. */
function gate() {
  let opened = Promise.resolve();
  let open = () => {};
  let arrived = () => {};
  return {
    pass: async () => {
      arrived();
      await opened;
    },
    close() {
      ({ promise: opened, resolve: open } = Promise.withResolvers<void>());
      return new Promise<void>((resolve) => {
        arrived = resolve;
      });
    },
    open: () => open(),
  };
}

const noSpace = Object.assign(new Error('ENOSPC: no space left on device, write'), {
  code: 'ENOSPC',
});

describe('an append', () => {
  test('is neither acknowledged nor shown to readers before it is durable', async () => {
    const sync = gate();
    const gates = { ...openGates, beforeSync: sync.pass };
    const store = await openStore(await scratchDirectory(), { gates });
    const syncing = sync.close();
    let acknowledged = false;
    const appending = append(store, 'a-1', { n: 0 }).then(() => (acknowledged = true));
    await syncing;
    deepEqual([acknowledged, store.index.visible], [false, 0]);
    sync.open();
    await appending;
    equal(store.index.visible, 1);
  });

  test('that repeats one on its way is not settled by a node that is silent about it', async () => {
    const sync = gate();
    const gates = { ...openGates, beforeSync: sync.pass };
    const store = await openStore(await scratchDirectory(), { gates, silentDuplicates: true });
    const again = { stream: 'a-1', expected: 'no_stream', events: [anEvent({ n: 0 })] } as const;
    const syncing = sync.close();
    const first = store.append(again);
    await syncing;
    equal((await store.append(again)).kind, 'on_its_way');
    equal((await store.append({ ...again, expected: 'any' })).kind, 'on_its_way');
    sync.open();
    const written = await first;
    equal(written.kind, 'written');
    deepEqual(await store.append(again), written);
  });

  test('that repeats one on its way waits for it, and so does one that lost against it', async () => {
    const sync = gate();
    const gates = { ...openGates, beforeSync: sync.pass };
    const store = await openStore(await scratchDirectory(), { gates });
    const events = [anEvent({ n: 0 })];
    const syncing = sync.close();
    const settled: string[] = [];
    const appending = [events, events, [anEvent()]].map(async (each) => {
      const { kind } = await store.append({ stream: 'a-1', expected: 'no_stream', events: each });
      settled.push(kind);
    });
    await syncing;
    deepEqual(settled, []);
    sync.open();
    await Promise.all(appending);
    const refused = settled.filter((kind) => kind === 'wrong_expected_version');
    deepEqual([settled.length, refused.length, settled[0]], [3, 1, 'written']);
    equal(store.index.visible, 1);
  });
});

describe('a disk that is full', () => {
  test('refuses with its reason, loses nothing, and takes appends again when there is room', async () => {
    const directory = await scratchDirectory();
    let full = false;
    const beforeWrite = async () => {
      if (full) throw noSpace;
    };
    const fatal: Error[] = [];
    const store = await openStore(directory, {
      gates: { ...openGates, beforeWrite },
      onFatal: (error) => fatal.push(error),
    });
    await append(store, 'a-1', { n: 0 });
    full = true;
    const refused = await Promise.allSettled([
      append(store, 'a-1', { n: 'lost' }),
      append(store, 'b-1', { n: 'lost' }),
    ]);
    for (const outcome of refused)
      match(String((outcome as PromiseRejectedResult).reason), /no space left/);
    full = false;
    deepEqual(await append(store, 'a-1', { n: 1 }, 0), {
      kind: 'written',
      revision: 1,
      position: store.index.positionAt(1),
    });
    equal((await append(store, 'b-1', { n: 2 }, 'no_stream')).kind, 'written');
    deepEqual(fatal, []);
    await store.close();
    const expected = [{ n: 0 }, { n: 1 }, { n: 2 }];
    deepEqual(await everyData(await openStore(directory)), expected);
  });

  test('brings back the metadata and the tombstone that did not reach it', async () => {
    let full = false;
    const beforeWrite = async () => {
      if (full) throw noSpace;
    };
    const gates = { ...openGates, beforeWrite };
    const store = await openStore(await scratchDirectory(), { gates });
    await append(store, 'a-1', { n: 0 });
    full = true;
    await rejects(store.softDelete('a-1', 'any'), /no space left/);
    await rejects(store.tombstone('a-1', 'any'), /no space left/);
    full = false;
    deepEqual((await append(store, 'a-1', { n: 1 }, 0)).kind, 'written');
    equal(store.index.visible, 2);
  });
});

describe('a failed fsync', () => {
  test('is fatal: nothing is acknowledged, and no append is taken after it', async () => {
    const directory = await scratchDirectory();
    let broken = false;
    const beforeSync = async () => {
      if (broken) throw new Error('EIO: i/o error, fdatasync');
    };
    const fatal: string[] = [];
    const store = await openStore(directory, {
      gates: { ...openGates, beforeSync },
      onFatal: (error) => fatal.push(error.message),
    });
    await append(store, 'a-1', { n: 0 });
    broken = true;
    await rejects(append(store, 'a-1', { n: 1 }), /EIO/);
    broken = false;
    await rejects(append(store, 'a-1', { n: 2 }), /EIO/);
    deepEqual(fatal, ['EIO: i/o error, fdatasync']);
    equal(store.index.visible, 1);
  });
});
