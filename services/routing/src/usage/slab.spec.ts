import { deepEqual } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { slabBytes } from './slab.ts';

describe('bytes of a slab', () => {
  test('are those of their text, whatever comes after them and however long it is', () => {
    const texts = Array.from({ length: 100 }, (_, index) => `${String(index)}é`.repeat(index * 20));
    const all = [...texts, 'ü'.repeat(40_000), '', ...texts];
    const bytes = all.map(slabBytes);
    deepEqual(
      bytes.map((one) => Buffer.from(one).toString()),
      all,
    );
  });
});
