import { deepEqual } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { latestUses, usesOf } from './latest-uses.ts';

const [one, other] = ['1'.repeat(64), '2'.repeat(64)];
const at = (second: number) => `2026-01-02T03:04:0${String(second)}.000Z`;
const used = (keyHash: unknown, second: number) => ({
  usageId: 'gen-1/1/1',
  keyHash,
  attempts: [{ provider: 'a' }, { provider: 'b' }],
  admittedAt: at(second),
});
const message = (data: unknown, subject = 'usage.v1.recorded.org_1') => ({
  subject,
  data,
  bytes: Buffer.from(JSON.stringify(data)),
});
const latest = (...messages: readonly Parameters<typeof usesOf>[0][]) =>
  latestUses(messages.map(usesOf));
const uses = (...facts: readonly unknown[]) => latest(message({ facts }));
const use = (keyHash: string | undefined, second: number) => ({
  accountId: 'org_1',
  keyHash,
  usedAt: at(second),
});

describe('the latest uses in bundles of usage', () => {
  test('are one per key, of the account whose subject it is', () => {
    deepEqual(uses(used(one, 1), used(other, 5), used(one, 3), used(one, 2)), [
      use(one, 3),
      use(other, 5),
    ]);
    const foreign = message({ facts: [used(one, 9)] }, 'usage.v1.recorded.org_2');
    deepEqual(latest(message({ facts: [used(one, 1)] }), foreign), [
      use(one, 1),
      { ...use(one, 9), accountId: 'org_2' },
    ]);
  });

  test('do not hang on the order of fields, nor on what other fields hold', () => {
    const { usageId, ...rest } = used(one, 4);
    deepEqual(uses({ ...rest, usageId }, used(other, 2)), [use(one, 4), use(other, 2)]);
    deepEqual(uses(used(other, 2), { ...rest, usageId }), [use(other, 2), use(one, 4)]);
    const said = `{"usageId":"x","keyHash":"${other}","admittedAt":"${at(9)}"}`;
    deepEqual(uses({ ...used(one, 4), trace: said }, { ...used(one, 5), model: said }), [
      use(one, 5),
    ]);
  });

  test('are those of facts, not of the repeats that they stand for, which come at once', () => {
    const repeats = [{ generationId: 'gen-2', sourceId: 'gen-0', startedAt: at(9) }];
    deepEqual(uses({ ...used(one, 4), repeats }, used(other, 2)), [use(one, 4), use(other, 2)]);
  });

  test.each<[string, unknown]>([
    ['no JSON', undefined],
    ['a list', []],
    ['nothing', {}],
    ['no list of facts', { facts: used(one, 1) }],
    ['facts that are none', { facts: [null, 'a', [], 1, {}] }],
    ['keys that are none', { facts: [used('x', 1), used(1, 1), used(undefined, 1)] }],
    [
      'instants that there are not',
      {
        facts: [
          '2026-02-30T00:00:00.000Z',
          '2026-13-01T00:00:00.000Z',
          '2026-01-01T24:00:00.000Z',
        ].map((admittedAt) => ({ ...used(one, 1), admittedAt })),
      },
    ],
  ])('are none in %s', (_case, data) => {
    const bytes = Buffer.from(JSON.stringify(data) ?? 'no JSON');
    deepEqual(latest({ ...message(null), data, bytes }), []);
  });

  test('are none on a subject that is of no account', () => {
    deepEqual(latest(message({ facts: [used(one, 1)] }, 'usage.v1.recorded.ü')), []);
  });
});
