import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import type { FileHandle } from 'node:fs/promises';
import { setImmediate as nextTick } from 'node:timers/promises';
import { until } from '@sluice/patience';
import { afterEach, beforeEach, describe, onTestFinished, test, vi } from 'vitest';
import { raiseFence } from './fence.ts';
import { groupCommit, type GroupCommit } from './group-commit.ts';
import { openSegments, type Segments } from './segments.ts';
import { scratchDirectory } from './testing/scratch-directory.ts';

const segmentBytes = 65_536;

/** Real files; the syncs are counted and may be made to fail. */
async function fixture(sync: (file: FileHandle) => Promise<void> = (file) => file.datasync()) {
  const directory = await scratchDirectory();
  const fence = await raiseFence(directory);
  const segments = await openSegments(directory, segmentBytes);
  onTestFinished(async () => {
    await segments.close();
    await fence.close();
  });
  let syncs = 0;
  const watched: Segments = {
    ...segments,
    active: () => {
      const { segment, file } = segments.active();
      const datasync = () => (syncs++, sync(file));
      return {
        segment,
        file: new Proxy(file, {
          get: (target, name) => (name === 'datasync' ? datasync : bound(target, name)),
        }),
      };
    },
  };
  const failures: unknown[] = [];
  const commit = groupCommit({
    segments: watched,
    segmentBytes,
    fence,
    onFailure: (error, unfinished) => {
      failures.push(error);
      for (const { reject } of unfinished) reject(error);
    },
  });
  return { commit, failures, directory, syncs: () => syncs };
}

function bound(target: FileHandle, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name);
  return typeof value === 'function' ? value.bind(target) : value;
}

const append = (commit: GroupCommit, record: string, canWait = false) =>
  new Promise<bigint>((resolve, reject) =>
    commit.add({ payload: Buffer.from(record), canWait, resolve, reject }),
  );
/** Appends a record that can wait, and notes when it is in the file. */
const written = (commit: GroupCommit, record: string, seen: string[]) =>
  new Promise<bigint>((resolve, reject) => {
    const onWritten = () => void seen.push(record);
    commit.add({ payload: Buffer.from(record), canWait: true, onWritten, resolve, reject });
  });
/** The timers are not real ones there. */
const fileHas = async (seen: readonly string[], count: number) => {
  while (seen.length < count) await nextTick();
};
const someTicks = async () => {
  for (let tick = 0; tick < 20; tick += 1) await nextTick();
};

describe('the group commit', () => {
  test('writes what comes together with one sync', async () => {
    const { commit, syncs } = await fixture();
    await Promise.all(Array.from({ length: 100 }, (_, index) => append(commit, `${index}`)));
    equal(syncs(), 1);
    equal(commit.durable(), 100n);
    equal(commit.queuedBytes(), 0);
  });

  test('after a sync that several shared, waits a moment for whoever comes next', async () => {
    const { commit, syncs } = await fixture();
    await Promise.all(['a', 'b', 'c'].map((record) => append(commit, record)));
    const first = append(commit, 'd');
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([first, append(commit, 'e')]);
    equal(syncs(), 2);
    await append(commit, 'f');
    equal(commit.durable(), 6n);
  });

  test('acknowledges nothing before the sync is over', async () => {
    const { promise: disk, resolve: sync } = Promise.withResolvers<void>();
    const { commit, syncs } = await fixture(() => disk);
    let acknowledged = false;
    const appended = append(commit, 'a').then(() => (acknowledged = true));
    await until(() => syncs() === 1);
    await new Promise((resolve) => setImmediate(resolve));
    ok(!acknowledged);
    sync();
    await appended;
  });

  test('says that a record is written before the sync begins, and not before it is in the file', async () => {
    const { promise: disk, resolve: sync } = Promise.withResolvers<void>();
    const seen: string[] = [];
    const { commit } = await fixture((file) => {
      seen.push('sync');
      return disk.then(() => file.datasync());
    });
    const appended = new Promise((resolve, reject) => {
      const onWritten = () => seen.push('written');
      commit.add({ payload: Buffer.from('a'), onWritten, resolve, reject });
    });
    deepEqual(seen, []);
    await until(() => seen.length === 2);
    deepEqual(seen, ['written', 'sync']);
    sync();
    await appended;
  });

  test('writes a record while the disk syncs those before it, and acknowledges it after a sync of its own', async () => {
    const syncing: (() => void)[] = [];
    const wait = () => new Promise<void>((resolve) => syncing.push(resolve));
    const { commit, syncs } = await fixture(wait);
    const first = append(commit, 'a');
    await until(() => syncs() === 1);
    const seen: string[] = [];
    const others = [append(commit, 'b'), append(commit, 'c')];
    const written = new Promise<bigint>((resolve, reject) => {
      const onWritten = () => seen.push('written');
      commit.add({ payload: Buffer.from('d'), onWritten, resolve, reject });
    });
    void written.then(() => seen.push('on disk'));
    await until(() => seen.length === 1);
    equal(commit.durable(), 0n);
    syncing.shift()?.();
    equal(await first, 1n);
    await until(() => syncs() === 2);
    deepEqual(seen, ['written']);
    syncing.shift()?.();
    deepEqual(await Promise.all([...others, written]), [2n, 3n, 4n]);
    equal(syncs(), 2);
  });

  test('writes what comes while the disk is busy into the next segment if this one is full', async () => {
    const { commit } = await fixture();
    const record = 'a'.repeat(1_000);
    const written: number[] = [];
    const appended = Array.from({ length: 200 }, async (_, index) => {
      for (let tick = 0; tick < index; tick += 1) await nextTick();
      return await new Promise<bigint>((resolve, reject) => {
        const onWritten = () => written.push(index);
        commit.add({ payload: Buffer.from(record), onWritten, resolve, reject });
      });
    });
    const numbers = Array.from({ length: 200 }, (_, index) => index);
    deepEqual(
      (await Promise.all(appended)).map(Number),
      numbers.map((index) => index + 1),
    );
    deepEqual(written, numbers);
  });

  test('acknowledges nothing any more if a write fails while the disk is busy', async () => {
    const { promise: disk, resolve: sync } = Promise.withResolvers<void>();
    const { commit, failures, directory, syncs } = await fixture(() => disk);
    const first = append(commit, 'a');
    await until(() => syncs() === 1);
    const later = await raiseFence(directory);
    onTestFinished(() => later.close());
    let isWritten = false;
    const second = new Promise((resolve, reject) => {
      const onWritten = () => (isWritten = true);
      commit.add({ payload: Buffer.from('b'), onWritten, resolve, reject });
    });
    await someTicks();
    sync();
    const outcomes = await Promise.allSettled([first, second]);
    deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    deepEqual([isWritten, failures.length, commit.durable()], [false, 1, 0n]);
  });

  test('never syncs again after a sync failed: all that waits and comes is rejected', async () => {
    const broken = new Error('EIO');
    const { commit, failures, syncs } = await fixture(() => Promise.reject(broken));
    await rejects(append(commit, 'a'), broken);
    await commit.drained();
    deepEqual(failures, [broken]);
    equal(commit.durable(), 0n);
    equal(syncs(), 1);
  });
});

describe('a record that can wait', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  test('is written before the next record that cannot, with the same sync', async () => {
    const { commit, syncs } = await fixture();
    const waiting = append(commit, 'a', true);
    await someTicks();
    equal(syncs(), 0);
    const second = append(commit, 'b', true);
    await someTicks();
    deepEqual(await Promise.all([waiting, second, append(commit, 'c')]), [1n, 2n, 3n]);
    equal(syncs(), 1);
  });

  test('is written alone after 10 ms', async () => {
    const { commit, syncs } = await fixture();
    const waiting = append(commit, 'a', true);
    await someTicks();
    vi.advanceTimersByTime(9);
    await someTicks();
    equal(syncs(), 0);
    vi.advanceTimersByTime(1);
    equal(await waiting, 1n);
  });

  test('is in the file at once if its caller wants to know that, and on disk with the next sync', async () => {
    const { commit, syncs } = await fixture();
    const seen: string[] = [];
    const lazy = written(commit, 'a', seen);
    await fileHas(seen, 1);
    await someTicks();
    deepEqual([seen, syncs()], [['a'], 0]);
    const later = written(commit, 'b', seen);
    await fileHas(seen, 2);
    deepEqual([syncs(), commit.durable()], [0, 0n]);
    deepEqual(await Promise.all([lazy, later, append(commit, 'c')]), [1n, 2n, 3n]);
    equal(syncs(), 1);
  });

  test('is on disk soon after something waits for it', async () => {
    const { commit, syncs } = await fixture();
    const seen: string[] = [];
    const lazy = written(commit, 'a', seen);
    await fileHas(seen, 1);
    commit.hurry();
    equal(await lazy, 1n);
    commit.hurry();
    const next = written(commit, 'b', seen);
    await someTicks();
    equal(syncs(), 1);
    vi.advanceTimersByTime(10);
    equal(await next, 2n);
  });

  test('is in the next segment at once if this one is full', async () => {
    const { commit } = await fixture();
    const seen: string[] = [];
    const record = 'a'.repeat(1_000);
    const lazy: Promise<bigint>[] = [];
    for (let count = 1; count <= 100; count += 1) {
      lazy.push(written(commit, record, seen));
      await fileHas(seen, count);
    }
    await commit.drained();
    equal((await Promise.all(lazy)).at(-1), 100n);
  });

  test('is rejected if it cannot be written while the writer waits', async () => {
    const { commit, failures, directory } = await fixture();
    const seen: string[] = [];
    const first = written(commit, 'a', seen);
    await fileHas(seen, 1);
    const later = await raiseFence(directory);
    onTestFinished(() => later.close());
    const second = written(commit, 'b', seen);
    const outcomes = await Promise.allSettled([first, second]);
    deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    deepEqual([seen, failures.length, commit.durable()], [['a'], 1, 0n]);
  });

  test('is written at once when the spool stops', async () => {
    const { commit, syncs } = await fixture();
    const waiting = append(commit, 'a', true);
    await someTicks();
    await commit.drained();
    equal(await waiting, 1n);
    equal(syncs(), 1);
  });
});
