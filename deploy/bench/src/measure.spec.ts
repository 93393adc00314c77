import { equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { tableOf } from './measure.ts';

describe('the table of a report', () => {
  test('says of each target whether it is met', () => {
    const table = tableOf([
      { name: 'appends', value: 6_500.4, unit: '/s', target: { kind: 'at least', value: 6_000 } },
      {
        name: 'start',
        value: 5.25,
        unit: 's',
        target: { kind: 'at most', value: 5 },
        note: 'warm',
      },
      { name: 'disk', value: 4_000, unit: '/s' },
    ]);
    equal(
      table,
      [
        'measure     value   target',
        'appends  6,500 /s  ≥ 6,000  met',
        'start      5.25 s      ≤ 5  NOT MET  warm',
        'disk     4,000 /s',
      ].join('\n'),
    );
  });
});
