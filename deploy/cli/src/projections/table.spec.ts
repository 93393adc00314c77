import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { tableOf } from './table.ts';

const rows = [
  ['HASH', 'NAME', 'LIMIT'],
  ['0123456789abcdef0123', 'Nightly reports', '25'],
];

describe('a table', () => {
  test('is as wide as its cells where nothing limits it', () => {
    deepEqual(tableOf(rows), [
      'HASH                  NAME             LIMIT',
      '0123456789abcdef0123  Nightly reports  25',
    ]);
  });

  test('cuts its widest columns where the terminal is narrower', () => {
    deepEqual(tableOf(rows, 33), [
      'HASH          NAME          LIMIT',
      '0123456789a…  Nightly rep…  25',
    ]);
  });

  test('fits every terminal that has room for the least of each column', () => {
    const cell = fc.string({ maxLength: 60, unit: 'grapheme-ascii' });
    const table = fc.integer({ min: 1, max: 6 }).chain((columns) =>
      fc.record({
        cells: fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), {
          minLength: 1,
          maxLength: 10,
        }),
        width: fc.integer({ min: columns * 10, max: 200 }),
      }),
    );
    fc.assert(
      fc.property(table, ({ cells, width }) => {
        const lines = tableOf(cells, width);
        equal(lines.length, cells.length);
        for (const line of lines) ok(line.length <= width, `${line.length} > ${width}`);
      }),
    );
  });
});
