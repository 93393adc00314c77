import { deepEqual, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import { evenParts } from './even-parts.ts';

test('parts are all items in order, as few as may be, none too long and none much smaller', () => {
  fc.assert(
    fc.property(fc.nat({ max: 3_000 }), fc.integer({ min: 1, max: 600 }), (count, itemsMax) => {
      const items = Array.from({ length: count }, (_, index) => index);
      const parts = evenParts(items, itemsMax);
      deepEqual(parts.flat(), items);
      const lengths = parts.map(({ length }) => length);
      ok(Math.max(...lengths) <= itemsMax);
      ok(parts.length <= Math.max(1, Math.ceil(count / itemsMax)));
    }),
  );
  deepEqual(
    evenParts([1, 2, 3, 4, 5], 4).map(({ length }) => length),
    [3, 2],
  );
});
