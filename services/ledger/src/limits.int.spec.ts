import { deepEqual, equal } from 'node:assert/strict';
import { subjects } from '@sluice/bus';
import { LimitsSet } from '@sluice/protos/sluice/limit/v1/limit_events';
import { describe, test } from 'vitest';
import { ledgerFixture } from './testing/ledger-fixture.ts';

const daily = { windowKind: 'daily', limitNanoUsd: 5n };
const weekly = { windowKind: 'weekly', limitNanoUsd: 9n };

const limit = (revision: bigint, changes: Partial<LimitsSet> = {}): LimitsSet => ({
  limitId: `key/key1@${revision}`,
  accountId: 'acct_1',
  scopeKind: 'key',
  scopeId: 'key1',
  revision,
  limits: [daily],
  includeByok: false,
  ...changes,
});

async function fixture() {
  const ledger = await ledgerFixture();
  let published = 0;
  return {
    ...ledger,
    set: async (...facts: readonly LimitsSet[]) => {
      for (const fact of facts)
        await ledger.bus.publishFact(
          subjects.limitsSet('acct_1'),
          `limit-${++published}`,
          LimitsSet.toJSON(fact) as object,
        );
    },
    limits: async () =>
      await ledger.database.query<{ scope_kind: string; window_kind: string; limit: bigint }>({
        text: `SELECT scope_kind, window_kind, limit_nano_usd AS limit FROM limits ORDER BY 1, 2`,
        values: [],
      }),
  };
}

describe('the limit of a scope', () => {
  test('is the one of the highest revision, whatever the order', async () => {
    const { set, limits, count, until } = await fixture();
    await set(limit(0n), limit(3n, { limits: [weekly] }), limit(1n));
    await until(async () => (await count('limits')) === 1);
    await set(limit(2n), limit(3n, { limits: [weekly] }));
    await set(limit(4n, { scopeId: 'key2' }));
    await until(async () => (await count('limits')) === 2);
    deepEqual(
      (await limits()).map((row) => [row.window_kind, row.limit]),
      [
        ['daily', 5n],
        ['weekly', 9n],
      ],
    );
  });

  test('that is taken off leaves none, and an older one does not bring it back', async () => {
    const { set, count, until } = await fixture();
    await set(limit(0n));
    await until(async () => (await count('limits')) === 1);
    await set(limit(2n, { limits: [] }));
    await until(async () => (await count('limits')) === 0);
    await set(limit(1n), limit(0n, { scopeId: 'other' }));
    await until(async () => (await count('limits')) === 1);
    equal(await count(`limits WHERE scope_id = 'key1'`), 0);
  });

  test('may be one per window of a workspace, and stands beside that of a key of the same name', async () => {
    const { set, limits, count, until } = await fixture();
    const budgets = { scopeKind: 'workspace', limits: [weekly, daily] };
    await set(limit(7n), limit(0n, budgets));
    await until(async () => (await count('limits')) === 3);
    await set(limit(1n, { ...budgets, limits: [weekly] }));
    await until(async () => (await count('limits')) === 2);
    deepEqual(
      (await limits()).map((row) => [row.scope_kind, row.window_kind]),
      [
        ['key', 'daily'],
        ['workspace', 'weekly'],
      ],
    );
  });

  test('is told to whoever holds a lease', async () => {
    const { bus, set, until } = await fixture();
    const told: unknown[] = [];
    const { signal } = new AbortController();
    const handler = (message: { data: unknown }) => void told.push(message.data);
    await bus.subscribe(subjects.limitsChanged('acct_1'), handler, { signal });
    await set(limit(0n));
    await until(async () => told.length > 0);
    deepEqual(told, [{ accountId: 'acct_1' }]);
  });

  test.each([
    [10n ** 18n, 10n ** 18n],
    // Accepted before amounts had a bound.
    [10n ** 18n + 1n, 10n ** 18n],
    [2n ** 63n - 1n, 10n ** 18n],
  ])('of %s nano-USD counts as %s', async (limitNanoUsd, counted) => {
    const { set, limits, count, until } = await fixture();
    await set(limit(0n, { limits: [{ ...daily, limitNanoUsd }] }));
    await until(async () => (await count('limits')) === 1);
    deepEqual(
      (await limits()).map((row) => row.limit),
      [counted],
    );
    equal(await count('dead_letters'), 0);
  });

  test.each<[string, Partial<LimitsSet>]>([
    ['a negative amount', { limits: [{ ...daily, limitNanoUsd: -1n }] }],
    ['an amount that no column holds', { limits: [{ ...daily, limitNanoUsd: 2n ** 63n }] }],
    ['a window that nobody knows', { limits: [{ ...daily, windowKind: 'hourly' }] }],
    ['a window twice', { limits: [daily, daily] }],
    ['no scope', { scopeId: '' }],
    ['a scope that only credits limit', { scopeKind: 'account', scopeId: 'acct_1' }],
    ['a negative revision', { revision: -1n }],
  ])('with %s becomes a dead letter', async (_case, changes) => {
    const { set, count, until } = await fixture();
    await set(limit(0n, changes));
    await until(async () => (await count('dead_letters')) === 1);
    equal(await count('limits'), 0);
  });
});

test('what an account may spend is the sum of its credits', async () => {
  const { publishCredit, limits, count, until } = await fixture();
  await publishCredit('c1', 'grant', 100n);
  await publishCredit('c2', 'purchase', 30n);
  await publishCredit('c2', 'purchase', 30n);
  await publishCredit('c3', 'refund', -5n);
  await until(async () => (await count('credits')) === 3);
  deepEqual(await limits(), [{ scope_kind: 'account', window_kind: 'lifetime', limit: 125n }]);
});
