import { deepEqual, match } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { headlinesOf } from './headlines.ts';
import { headlineCell } from './plan.ts';
import { rowsOf } from './rows.ts';
import { columns } from '../columns.ts';
import { cellTable, headlineTable } from './table.ts';
import { aSample } from './testing/a-sample.ts';

const rows = rowsOf([
  aSample('bare', { rps: 10_000, cpu_us_per_request: 80 }),
  aSample('portkey', { faults: { 'status 500': 12, 'too short': 1 } }),
  aSample('sluice', { rps: 4_000, cpu_us_per_request: 200 }),
]);

test('columns are aligned, numbers to the right', () => {
  deepEqual(
    columns([
      ['', 'a'],
      ['long', '10'],
    ]),
    ['       a', 'long  10'].join('\n'),
  );
});

describe('the tables', () => {
  test('begin with the ratios, also those by processor time', () => {
    match(headlineTable(headlinesOf(rows)), /^sluice +– +– +40 % +40 %/m);
  });

  test('say of wrong answers how many and why, instead of figures', () => {
    const table = cellTable([headlineCell], rows);
    match(table, /^200 B × 32 +req\/s/);
    match(table, /^ {2}portkey {2}INVALID: 12 × status 500, 1 × too short$/m);
    match(table, /^ {2}sluice.* 4,000 .* 40 %/m);
  });
});
