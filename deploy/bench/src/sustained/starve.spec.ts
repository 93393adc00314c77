import { deepEqual } from 'node:assert/strict';
import { test } from 'vitest';
import { brokenBy } from './starve.ts';

const good = {
  before_rps: 1_000,
  rps: 500,
  refused: 10,
  errors: 0,
  lag_p99_s: 3,
  lag_max_s: 5,
  uncounted_max: 20_000,
  drained_s: 30,
};

test('starved books are stood within the bounds', () => {
  deepEqual(brokenBy(good), []);
});

test.each([
  [{ rps: 489 }, 'served share 0.49 (≥ 0.5)'],
  [{ errors: 1 }, 'errors 1 (≤ 0)'],
  [{ lag_max_s: 5.1 }, 'lag_max_s 5.1 (≤ 5)'],
  [{ drained_s: 30.1 }, 'drained_s 30.1 (≤ 30)'],
  [{ drained_s: null }, 'drained_s never (≤ 30)'],
])('starved books are not stood with %o', (wrong, sentence) => {
  deepEqual(brokenBy({ ...good, ...wrong }), [sentence]);
});
