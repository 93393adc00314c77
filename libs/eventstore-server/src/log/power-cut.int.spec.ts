import { deepEqual, ok } from 'node:assert/strict';
import { copyFile, mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { append, everyData } from '../testing/events.ts';
import { openStore, scratchDirectory } from '../testing/scratch.ts';
import { openGates } from './append-log.ts';
import { markFileName } from './durable-mark.ts';
import { segmentName } from './segment.ts';

const sectorBytes = 512;

/** A log that was cut off from power between the write of its last group and the sync of it. */
async function cutOff(acknowledged: number, unacknowledged: number) {
  const directory = await scratchDirectory();
  let cut = false;
  const { promise: written, resolve } = Promise.withResolvers<void>();
  const beforeSync = async () => {
    if (!cut) return;
    resolve();
    await closing.promise;
  };
  const closing = Promise.withResolvers<void>();
  const store = await openStore(directory, { gates: { ...openGates, beforeSync } });
  for (let n = 0; n < acknowledged; n++) await append(store, 'a-1', { n });
  const durableBytes = store.endPosition;
  cut = true;
  const group = [...Array(unacknowledged).keys()].map((n) =>
    append(store, 'a-1', { n: acknowledged + n, text: 'x'.repeat(n * 97) }),
  );
  await written;
  const after = join(directory, 'after');
  await mkdir(after);
  // The mark as it is at this instant, which is the newest that the disk can have.
  for (const name of [segmentName(0), markFileName])
    await copyFile(join(directory, name), join(after, name));
  closing.resolve();
  await Promise.all(group);
  return { directory: after, durableBytes };
}

/** Sectors that the disk had not taken yet are as they were before: zeros. */
async function loseSectors(path: string, from: number, isLost: readonly boolean[]) {
  const { length } = await readFile(path);
  const file = await open(path, 'r+');
  for (let start = from, index = 0; start < length; index++) {
    const end = Math.min(length, (Math.floor(start / sectorBytes) + 1) * sectorBytes);
    if (isLost[index % isLost.length]) await file.write(Buffer.alloc(end - start), 0, null, start);
    start = end;
  }
  await file.close();
}

describe('a power cut', () => {
  test('keeps what was acknowledged, and of the rest a part without holes', async () => {
    const losses = fc.array(fc.boolean(), { minLength: 1, maxLength: 40 });
    const counts = fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 1, max: 20 }));
    await fc.assert(
      fc.asyncProperty(counts, losses, async ([acknowledged, unacknowledged], isLost) => {
        const { directory, durableBytes } = await cutOff(acknowledged, unacknowledged);
        await loseSectors(join(directory, segmentName(0)), durableBytes, isLost);
        const store = await openStore(directory);
        const numbers = (await everyData(store)).map((data) => (data as { n: number }).n);
        ok(numbers.length >= acknowledged, `only ${numbers.length} of ${acknowledged}`);
        deepEqual(numbers, [...numbers.keys()]);
        await append(store, 'a-1', {}, numbers.length === 0 ? 'no_stream' : numbers.length - 1);
        await store.close();
      }),
      { numRuns: 60 },
    );
  });
});
