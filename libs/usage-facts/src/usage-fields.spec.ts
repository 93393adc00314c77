import { deepEqual, equal } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { UsageRecorded } from '@sluice/protos/sluice/usage/v1/usage_events';
import { describe, expectTypeOf, test } from 'vitest';
import { readFact, writeFact } from './fact-json.ts';
import type { UsageFact } from './usage-fact.ts';
import { columnOf, usageColumns, usageFields } from './usage-fields.ts';

const proto = readFileSync(
  new URL('../../../protos/sluice/usage/v1/usage_events.proto', import.meta.url),
  'utf8',
);

describe('the table of usage fields', () => {
  test('has the fields of the proto file, in their order', () => {
    const body = /\nmessage UsageRecorded \{\n(.*?)\n {2}message /s.exec(proto)?.[1] ?? '';
    const lines = body.match(/^ {2}[a-z].* = \d+;$/gm)?.map((line) => line.trim());
    const rows = Object.entries(usageFields);
    deepEqual(
      rows.map(([name, { type, number }]) => `${type} ${columnOf(name)} = ${number};`),
      lines,
    );
  });

  test('has the names of the generated message', () => {
    expectTypeOf<keyof UsageFact>().toEqualTypeOf<keyof UsageRecorded>();
  });

  test('says which fields have a column in the ledger', () => {
    equal(usageColumns['leaseNumbers'], 'bigint[]');
    equal(usageColumns['trace'], 'jsonb');
    equal(usageColumns['holdNanoUsd'], undefined);
  });
});

test('an amount beyond 2^53 is exact in the JSON of a fact', () => {
  const fact = readFact({ costNanoUsd: '9007199254740993', leaseNumbers: ['9007199254740993'] });
  equal(fact.costNanoUsd, 9_007_199_254_740_993n);
  const text = '{"costNanoUsd":"9007199254740993","leaseNumbers":["9007199254740993"]}';
  equal(JSON.stringify(writeFact(fact)), text);
});
