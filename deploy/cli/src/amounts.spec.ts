import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { counted, duration } from './amounts.ts';
import { progressLine } from './projections/rebuild.ts';
import { tableOf } from './projections/table.ts';

describe('amounts', () => {
  test('have commas and the right number', () => {
    deepEqual(
      [0, 1, 2, 12_345, 1n, 9_007_199_254_740_993n].map((amount) => counted(amount, 'row')),
      ['0 rows', '1 row', '2 rows', '12,345 rows', '1 row', '9,007,199,254,740,993 rows'],
    );
  });

  test('of time are in the unit that fits', () => {
    deepEqual([0.04, 59, 119, 120, 7_200, 200_000].map(duration), [
      '0.0 s',
      '59.0 s',
      '119.0 s',
      '2 min',
      '2 h',
      '2 d',
    ]);
  });

  test('of progress are one line', () => {
    const progress = { events: 37_000, eventsPerSecond: 36_976.6 };
    equal(
      progressLine('key.api_keys', { ...progress, etaSeconds: 1.71 }),
      'key.api_keys: 37,000 events, 36,977 per second, about 1.7 s left',
    );
    equal(
      progressLine('key.api_keys', { ...progress, etaSeconds: undefined }),
      'key.api_keys: 37,000 events, 36,977 per second',
    );
  });
});

test('columns stand under each other', () =>
  deepEqual(tableOf([['A', 'LONG'], ['wide', 'x'], ['only']]), ['A     LONG', 'wide  x', 'only']));
