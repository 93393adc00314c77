import { equal } from 'node:assert/strict';
import { test } from 'vitest';
import { holds } from './starve.ts';

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
  equal(holds(good), true);
});

test.each([
  { rps: 499 },
  { errors: 1 },
  { lag_max_s: 5.1 },
  { drained_s: 30.1 },
  { drained_s: null },
])('starved books are not stood with %o', (wrong) => {
  equal(holds({ ...good, ...wrong }), false);
});
