import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'vitest';
import { sizedParts, partBytesMax } from './parts.ts';

async function* chunks(...sizes: readonly number[]) {
  let next = 0;
  for (const size of sizes)
    yield await Promise.resolve(Buffer.from(Array.from({ length: size }, () => next++ % 251)));
}

async function partsOf(...sizes: readonly number[]): Promise<readonly Buffer[]> {
  return await Array.fromAsync(sizedParts(chunks(...sizes)));
}

test.each([
  [[], []],
  [[0], []],
  [[1, 2, 3], [6]],
  [[partBytesMax], [partBytesMax]],
  [
    [65_535, 2, 3],
    [65_537, 3],
  ],
  [
    [5, 2 * partBytesMax],
    [partBytesMax, partBytesMax, 5],
  ],
])('chunks of %o are sent as parts of %o', async (sizes, expected) => {
  const parts = await partsOf(...sizes);
  deepEqual(
    parts.map(({ length }) => length),
    expected,
  );
  const sent = await Array.fromAsync(chunks(...sizes));
  equal(Buffer.concat(parts).equals(Buffer.concat(sent)), true);
});
