import { deepEqual } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { Slab } from './slab.ts';

describe('bytes of a slab', () => {
  test('are those of their text, whatever comes after them and however long it is', () => {
    const texts = Array.from({ length: 100 }, (_, index) => `${String(index)}é`.repeat(index * 20));
    const all = [...texts, 'ü'.repeat(40_000), '€'.repeat(21_845), '', ...texts];
    const slab = new Slab();
    const bytes = all.map((text) => slab.bytesOf(text));
    deepEqual(
      bytes.map((one) => Buffer.from(one).toString()),
      all,
    );
  });
});
