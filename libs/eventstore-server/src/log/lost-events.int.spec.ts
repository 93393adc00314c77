import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { copyFile, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { append, everyData } from '../testing/events.ts';
import { openStore, scratchDirectory } from '../testing/scratch.ts';
import { markFileName } from './durable-mark.ts';
import { LostEvents } from './lost-events.ts';
import { DamagedLog } from './recovery.ts';
import { segmentHeaderBytes, segmentName } from './segment.ts';

const numbers = (count: number) => [...Array(count).keys()].map((n) => ({ n }));

/** A log that was closed, of appends that were each acknowledged before the next. */
async function logOf(count: number, segmentBytesMax = 64 * 1024) {
  const directory = await scratchDirectory();
  const store = await openStore(directory, { segmentBytesMax });
  const ends: number[] = [];
  for (let n = 0; n < count; n++) {
    await append(store, 'a-1', { n });
    ends.push(store.endPosition);
  }
  await store.close();
  const names = (await readdir(directory)).filter((name) => name.endsWith('.log')).toSorted();
  const last = names.at(-1) ?? '';
  return { directory, ends, names, last: join(directory, last) };
}

async function refusalOf(directory: string): Promise<unknown> {
  return await openStore(directory).then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** Every file with its length: a refused start changes nothing. */
async function lengths(directory: string) {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.log'));
  const sizes = names.map(async (name) => [name, (await stat(join(directory, name))).size]);
  return Object.fromEntries(await Promise.all(sizes)) as Record<string, number>;
}

async function markedPosition(directory: string): Promise<number> {
  const bytes = await readFile(join(directory, markFileName));
  const slots = [0, 4_096].filter((offset) => bytes.length >= offset + 40);
  return Math.max(...slots.map((offset) => bytes.readDoubleLE(offset + 24)));
}

/** It is written right behind the answer; the test's own time-out bounds the wait. */
async function untilMarked(directory: string, position: number): Promise<void> {
  while ((await markedPosition(directory)) < position)
    await new Promise((resolve) => setImmediate(resolve));
}

describe('a log that is shorter than its mark', () => {
  test('is refused wherever it ends, says how much is missing, and is left as it is', async () => {
    const { directory, last } = await logOf(6);
    const whole = await readFile(last);
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length - 1 }), async (length) => {
        await writeFile(last, whole.subarray(0, length));
        const before = await lengths(directory);
        const error = await refusalOf(directory);
        ok(
          error instanceof LostEvents ||
            (error instanceof DamagedLog && length < segmentHeaderBytes),
        );
        deepEqual(await lengths(directory), before);
        if (!(error instanceof LostEvents)) return;
        match(error.message, /acknowledged: \d+ bytes are missing.*--accept-loss/);
        ok(error.lostBytes > 0 && error.lostBytes <= whole.length);
      }),
      { numRuns: 60, examples: [[0], [31], [32], [whole.length - 1]] },
    );
    await writeFile(last, whole);
    deepEqual(await everyData(await openStore(directory)), numbers(6));
  });

  test('is refused when its last append is damaged, at every byte', async () => {
    const directory = await scratchDirectory();
    const store = await openStore(directory);
    await append(store, 'a-1', { n: 0 });
    const start = store.endPosition;
    await append(store, 'a-1', { n: 1 });
    const end = store.endPosition;
    await untilMarked(directory, end);
    const killed = await scratchDirectory();
    const bytes = await readFile(join(directory, segmentName(0)));
    for (let offset = start; offset < end; offset++) {
      const damaged = Buffer.from(bytes.subarray(0, end));
      damaged[offset] = (damaged[offset] ?? 0) ^ 0x40;
      await writeFile(join(killed, segmentName(0)), damaged);
      await copyFile(join(directory, markFileName), join(killed, markFileName));
      // Nothing follows the damage: the mark alone knows that it is no torn tail.
      ok((await refusalOf(killed)) instanceof LostEvents);
    }
  });

  test.each([1, 2])('is refused without its last %i segments, by name', async (count) => {
    const { directory, names } = await logOf(60, 1_000);
    for (const name of names.slice(-count)) await rm(join(directory, name));
    const error = await refusalOf(directory);
    ok(error instanceof LostEvents);
    match(error.message, new RegExp(`${names.at(-1)} is missing, and the log ends at`));
  });

  test('is refused without any segment', async () => {
    const { directory, names } = await logOf(3);
    for (const name of names) await rm(join(directory, name));
    ok((await refusalOf(directory)) instanceof LostEvents);
    deepEqual(await lengths(directory), {});
  });

  test('goes on without what is missing when the operator accepts the loss, and says so once', async () => {
    const { directory, ends, last } = await logOf(6);
    await truncate(last, (ends[3] ?? 0) + 10);
    const reports: string[] = [];
    const report = (sentence: string) => void reports.push(sentence);
    const store = await openStore(directory, { acceptLoss: true, report });
    deepEqual(await everyData(store), numbers(4));
    const { positionBefore, positionAfter, cutBytes, lostBytes } = store.recovery;
    deepEqual([positionAfter, cutBytes], [ends[3], 10]);
    equal(positionBefore, positionAfter + lostBytes);
    ok(lostBytes >= (ends[5] ?? 0) - (ends[3] ?? 0));
    match(reports.join(), /acknowledged bytes were lost, and the loss was accepted/);
    await append(store, 'a-1', { n: 4 }, 3);
    await store.close();
    // The mark was set back: the next start needs no permission.
    const next = await openStore(directory, { report });
    deepEqual(await everyData(next), numbers(5));
    equal(next.recovery.lostBytes, 0);
    equal(reports.length, 1);
  });

  test('goes on with an empty log when even that is accepted', async () => {
    const { directory, names } = await logOf(60, 1_000);
    for (const name of names) await rm(join(directory, name));
    const store = await openStore(directory, { acceptLoss: true });
    deepEqual(await everyData(store), []);
    await append(store, 'a-1', { n: 0 }, 'no_stream');
  });
});

describe('what recovery cuts off', () => {
  test('is said with bytes and positions, and is no loss when it was not acknowledged', async () => {
    const { directory, last } = await logOf(4);
    const end = (await stat(last)).size;
    await writeFile(
      last,
      Buffer.concat([await readFile(last), Buffer.from('an unfinished append')]),
    );
    const reports: string[] = [];
    const store = await openStore(directory, { report: (sentence) => void reports.push(sentence) });
    deepEqual(store.recovery, {
      cutBytes: 20,
      lostBytes: 0,
      positionBefore: end + 20,
      positionAfter: end,
    });
    equal(reports.length, 1);
    match(
      reports[0] ?? '',
      new RegExp(`ended at position ${end + 20} and ends at ${end} now: recovery cut 20 bytes`),
    );
  });

  test('is not said where nothing was cut', async () => {
    const { directory } = await logOf(4);
    const reports: string[] = [];
    await openStore(directory, { report: (sentence) => void reports.push(sentence) });
    deepEqual(reports, []);
  });
});

describe('the mark', () => {
  test('is older, never wrong, whatever a power cut left of its file', async () => {
    const { directory } = await logOf(5);
    const path = join(directory, markFileName);
    const whole = await readFile(path);
    const damage = fc.record({ offset: fc.nat({ max: whole.length - 1 }), bytes: fc.uint8Array() });
    await fc.assert(
      fc.asyncProperty(damage, async ({ offset, bytes }) => {
        const torn = Buffer.from(whole);
        torn.set(bytes.subarray(0, torn.length - offset), offset);
        await writeFile(path, torn);
        const store = await openStore(directory);
        deepEqual(await everyData(store), numbers(5));
        await store.close();
      }),
      { numRuns: 60 },
    );
  });

  test('is made for a log of before there were marks', async () => {
    const { directory, ends, last } = await logOf(3);
    await rm(join(directory, markFileName));
    await openStore(directory).then((store) => store.close());
    await truncate(last, ends[1]);
    ok((await refusalOf(directory)) instanceof LostEvents);
  });

  test('never leads the log: at every instant it is at most what is durable', async () => {
    const directory = await scratchDirectory();
    let durable = 0;
    const wrong: string[] = [];
    const look = async () => {
      const position = await markedPosition(directory);
      if (position > durable) wrong.push(`${position} > ${durable}`);
    };
    // At the sync of a group the one before is durable, and the group is not.
    const beforeSync = async () => {
      durable = store.endPosition;
      await look();
    };
    const gates = { beforeWrite: async () => {}, beforeSync };
    const store = await openStore(directory, { segmentBytesMax: 2_000, gates });
    for (let round = 0; round < 40; round++)
      await Promise.all([...Array(5).keys()].map((n) => append(store, `a-${n}`, { round, n })));
    await store.close();
    deepEqual(wrong, []);
    equal(segmentName(0) in (await lengths(directory)), true);
  });

  test('of a process that was killed is that of the last answer', async () => {
    const directory = await scratchDirectory();
    const store = await openStore(directory);
    for (let n = 0; n < 20; n++) await append(store, 'a-1', { n });
    await untilMarked(directory, store.endPosition);
    await store.close();
  });
});
