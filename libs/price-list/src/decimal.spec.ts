import { deepEqual, equal } from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import { dividedByTen } from './decimal.ts';

test('the point of a number is moved, and nothing is computed', () => {
  const written: readonly (readonly [number, number, string])[] = [
    [1.25, 6, '0.00000125'],
    [0.0028, 6, '0.0000000028'],
    [10, 3, '0.01'],
    [2.5, 3, '0.0025'],
    [1_000_000, 6, '1'],
    [12_500_000, 6, '12.5'],
    [0, 6, '0'],
    [1e-7, 6, '0.0000000000001'],
    [2.5e-8, 6, '0.000000000000025'],
    [3e21, 6, '3000000000000000'],
    [0.1, 0, '0.1'],
  ];
  for (const [value, places, text] of written) equal(dividedByTen(value, places), text);
});

test('what is negative or no number has no text', () => {
  deepEqual(
    [-1, Number.NaN, Infinity].map((value) => dividedByTen(value, 6)),
    [undefined, undefined, undefined],
  );
});

test('the text is the number again', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1e9, noNaN: true }),
      fc.nat({ max: 9 }),
      (value, places) => {
        equal(Number(`${dividedByTen(value, places)}e${places}`), value);
      },
    ),
  );
});
