import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'vitest';
import { givenRows } from './given-rows.ts';

test('rows are one parameter per column, and no amount becomes a float', () => {
  const given = givenRows({
    usageId: 'text',
    costNanoUsd: 'bigint',
    leases: 'bigint[]',
    trace: 'jsonb',
  });
  equal(given.columns, 'usage_id, cost_nano_usd, leases, trace');
  equal(
    given.selected,
    "usage_id, cost_nano_usd, coalesce(leases::bigint[], '{}'), nullif(trace, 'null')",
  );
  equal(
    given.from,
    'unnest($1::text[], $2::bigint[], $3::text[], ARRAY(SELECT jsonb_array_elements($4::jsonb))) ' +
      'AS given (usage_id, cost_nano_usd, leases, trace)',
  );
  const [one, other] = [9_007_199_254_740_993n, undefined];
  const rows = [
    { usageId: 'a', costNanoUsd: one, leases: [1n, one], trace: '{"b":1}' },
    { usageId: 'b', costNanoUsd: other, leases: [], trace: undefined },
  ];
  deepEqual(given.valuesOf(rows), [
    ['a', 'b'],
    [one, null],
    ['{1,9007199254740993}', '{}'],
    '[{"b":1},null]',
  ]);
  const nothing = { costNanoUsd: undefined, leases: [], trace: undefined };
  deepEqual(given.valuesOf([{ usageId: 'c', ...nothing }]), [['c'], [], [], '[]']);
});
