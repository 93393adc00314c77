import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { copyFile, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { anEvent, append, everyData } from '../testing/events.ts';
import { openStore, scratchDirectory } from '../testing/scratch.ts';
import { DirectoryInUse, lockDirectory } from './directory-lock.ts';
import { markFileName } from './durable-mark.ts';
import { DamagedLog } from './recovery.ts';
import { segmentName } from './segment.ts';

const firstSegment = segmentName(0);

/** A log of appends that were each acknowledged before the next; and as it was before the close. */
async function logOf(count: number, segmentBytesMax = 64 * 1024) {
  const directory = await scratchDirectory();
  const store = await openStore(directory, { segmentBytesMax });
  const ends: number[] = [];
  for (let n = 0; n < count; n++) {
    await append(store, `thing-${n % 3}`, { n });
    ends.push(store.endPosition);
  }
  const killed = join(directory, 'killed');
  await mkdir(killed);
  for (const name of await readdir(directory))
    if (name.endsWith('.log')) await copyFile(join(directory, name), join(killed, name));
  await store.close();
  return { directory, killed, ends };
}

const numbers = (count: number) => [...Array(count).keys()].map((n) => ({ n }));

async function flip(path: string, offset: number): Promise<void> {
  const bytes = await readFile(path);
  bytes[offset] = (bytes[offset] ?? 0) ^ 0x40;
  await writeFile(path, bytes);
}

describe('opening a log', () => {
  test('finds all that was acknowledged, after a close as after a kill', async () => {
    const { directory, killed } = await logOf(10);
    for (const place of [directory, killed]) {
      const store = await openStore(place);
      deepEqual(await everyData(store), numbers(10));
      equal((await append(store, 'thing-0', { n: 10 }, 3)).kind, 'written');
    }
  });

  test('finds it over many segments', async () => {
    const { directory } = await logOf(60, 1_000);
    const segments = (await readdir(directory)).filter((name) => name.endsWith('.log'));
    equal(segments.length > 5, true);
    const store = await openStore(directory, { segmentBytesMax: 1_000 });
    deepEqual(await everyData(store), numbers(60));
  });

  test('cuts a torn tail wherever the write broke off, and goes on from there', async () => {
    const { killed, ends } = await logOf(4);
    const path = join(killed, firstSegment);
    const whole = await readFile(path);
    const [, , third = 0, fourth = 0] = ends;
    for (let length = third; length < fourth; length++) {
      await writeFile(path, whole.subarray(0, length));
      // No mark covers the torn part: no caller was answered for it.
      await rm(join(killed, markFileName), { force: true });
      const store = await openStore(killed);
      equal(store.index.visible, 3);
      await append(store, 'thing-0', { n: 3 });
      deepEqual(await everyData(store), numbers(4));
      await store.close();
      await writeFile(path, whole);
    }
  });

  test('cuts a tail that holds something else than what was written', async () => {
    const { killed, ends } = await logOf(3);
    const path = join(killed, firstSegment);
    await flip(path, (ends[1] ?? 0) + 25);
    const store = await openStore(killed);
    deepEqual(await everyData(store), numbers(2));
  });

  test('refuses damage in front of what was acknowledged later, at every byte', async () => {
    const { killed, ends } = await logOf(4);
    const path = join(killed, firstSegment);
    const whole = await readFile(path);
    const [start = 0, end = 0] = ends;
    for (let offset = start; offset < end; offset++) {
      await flip(path, offset);
      const error = await openStore(killed).catch((thrown: unknown) => thrown);
      equal(error instanceof DamagedLog, true);
      equal((error as DamagedLog).offset, start);
      match((error as DamagedLog).message, new RegExp(firstSegment));
      await writeFile(path, whole);
    }
    deepEqual(await everyData(await openStore(killed)), numbers(4));
  });

  test('refuses damage in the last append when the log was closed behind it', async () => {
    const { directory, ends } = await logOf(3);
    await flip(join(directory, firstSegment), (ends[1] ?? 0) + 25);
    await rejects(openStore(directory), DamagedLog);
  });

  test('refuses a segment that ends too early when another one follows', async () => {
    const { directory } = await logOf(60, 1_000);
    await truncate(join(directory, firstSegment), 900);
    await rejects(openStore(directory), {
      name: 'DamagedLog',
      file: join(directory, firstSegment),
    });
  });

  test('refuses a log of which a segment is missing', async () => {
    const { directory } = await logOf(60, 1_000);
    const [, second = ''] = (await readdir(directory)).filter((name) => name.endsWith('.log'));
    await rm(join(directory, second));
    await rejects(openStore(directory), /a segment is missing before it/);
  });

  test('refuses a file that is not a segment, and leaves it as it is', async () => {
    const directory = await scratchDirectory();
    const path = join(directory, firstSegment);
    const foreign = 'somebody else’s log, which is longer than a header';
    await writeFile(path, foreign);
    await rejects(openStore(directory), /this is not a segment of an event log/);
    equal(await readFile(path, 'utf8'), foreign);
  });

  test('forgets a segment that a crash left without a header', async () => {
    const { killed } = await logOf(5);
    const { length } = await readFile(join(killed, firstSegment));
    await writeFile(join(killed, segmentName(length)), Buffer.alloc(9));
    const store = await openStore(killed);
    deepEqual(await everyData(store), numbers(5));
  });
});

describe('the directory', () => {
  test('is refused to a second node, and free again after the first', async () => {
    const directory = await scratchDirectory();
    const store = await openStore(directory);
    await rejects(openStore(directory), DirectoryInUse);
    await append(store, 'thing-0', { n: 0 });
    await store.close();
    deepEqual(await everyData(await openStore(directory)), numbers(1));
  });

  test('is free after a start that failed', async () => {
    const { directory } = await logOf(2);
    await writeFile(join(directory, segmentName(0)), 'x'.repeat(64));
    await rejects(openStore(directory), DamagedLog);
    lockDirectory(directory).release();
  });
});

describe('what lies in the log', () => {
  test('is refused on reading when it is not as it was written', async () => {
    const { directory, ends } = await logOf(5);
    const store = await openStore(directory);
    await flip(join(directory, firstSegment), (ends[1] ?? 0) + 60);
    await rejects(everyData(store), /a record is not as it was written/);
  });

  test('is read from disk when it does not fit in the cache', async () => {
    const directory = await scratchDirectory();
    const store = await openStore(directory);
    const large = ['a', 'b', 'c'].map((letter) => ({ text: letter.repeat(300_000) }));
    for (const data of large) await append(store, 'large-1', data);
    const events = [...Array(50).keys()].map((n) => anEvent({ n }));
    await store.append({ stream: 'small-1', expected: 'any', events });
    deepEqual(await everyData(store), [...large, ...numbers(50)]);
  });
});
