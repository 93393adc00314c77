import { deepEqual } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { Slab } from './slab.ts';

describe('bytes of a slab', () => {
  const sizes = [undefined, 32_768, 100];
  test.each(sizes)('are those of their text, whatever comes after and however long', (size) => {
    const texts = Array.from({ length: 100 }, (_, index) => `${String(index)}é`.repeat(index * 20));
    const all = [...texts, 'ü'.repeat(40_000), '€'.repeat(21_845), '', ...texts];
    const slab = new Slab(size);
    const bytes = all.map((text) => slab.bytesOf(text));
    deepEqual(
      bytes.map((one) => Buffer.from(one).toString()),
      all,
    );
  });
});
