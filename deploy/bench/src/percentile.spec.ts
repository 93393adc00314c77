import { deepEqual, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { percentile } from './percentile.ts';

describe('a percentile', () => {
  test('is a value of the sample, in whatever order it came', () => {
    const sample = [5, 1, 4, 2, 3];
    deepEqual(
      [0, 0.2, 0.5, 0.99, 1].map((share) => percentile(sample, share)),
      [1, 1, 3, 5, 5],
    );
  });

  test('of nothing is no number', () => {
    ok(Number.isNaN(percentile([], 0.5)));
  });
});
