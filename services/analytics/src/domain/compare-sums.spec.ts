import { deepEqual } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { compareSums, type ComparedTable, type TableSums } from './compare-sums.ts';

const dayMs = Date.parse('2026-11-18T00:00:00Z');
const hourMs = 3_600_000;

function sumsOf(table: ComparedTable, values: readonly (bigint | undefined)[]): TableSums {
  const sums = values.flatMap((requests, hour) =>
    requests === undefined ? [] : [[dayMs + hour * hourMs, { requests }] as const],
  );
  return { table, bucket: values.length === 1 ? 'day' : 'hour', sums: new Map(sums) };
}

const named = (tables: readonly TableSums[]) =>
  compareSums(tables, dayMs).map(
    ({ table, bucket, atMs, value, expected, expectedOf }) =>
      `${table} ${bucket} ${(atMs - dayMs) / hourMs}: ${value}, ${expectedOf} ${expected}`,
  );

describe('sums', () => {
  test('that are equal differ in nothing, also where an hour without usage has no row', () =>
    deepEqual(
      named([
        sumsOf('ledger', [3n]),
        sumsOf('facts', [1n, undefined, 2n]),
        sumsOf('usage_hour', [1n, 0n, 2n]),
        sumsOf('usage_day', [3n]),
      ]),
      [],
    ));

  test('that most tables have are expected', () =>
    deepEqual(
      named([sumsOf('ledger', [3n]), sumsOf('usage_day', [2n]), sumsOf('usage_day_model', [2n])]),
      ['ledger day 0: 3, usage_day 2'],
    ));

  test('of one table against one are those of the ledger', () =>
    deepEqual(named([sumsOf('ledger', [3n]), sumsOf('usage_day', [2n])]), [
      'usage_day day 0: 2, ledger 3',
    ]));

  test('that only moved between hours name the hours', () =>
    deepEqual(
      named([sumsOf('facts', [1n, 2n]), sumsOf('usage_hour', [2n, 1n]), sumsOf('usage_day', [3n])]),
      ['usage_hour hour 0: 2, facts 1', 'usage_hour hour 1: 1, facts 2'],
    ));

  test('of facts that are lost name the facts in the hour, too', () =>
    deepEqual(
      named([sumsOf('ledger', [3n]), sumsOf('facts', [0n, 2n]), sumsOf('usage_hour', [1n, 2n])]),
      ['facts day 0: 2, ledger 3', 'facts hour 0: 0, usage_hour 1'],
    ));

  test('of hours that are no whole day name the hours alone', () =>
    deepEqual(named([sumsOf('facts', [1n, 2n]), sumsOf('usage_hour', [1n, 3n])]), [
      'usage_hour hour 1: 3, facts 2',
    ]));
});
