import { deepEqual, equal } from 'node:assert/strict';
import { subjects } from '@sluice/bus';
import { KeyLimitSet } from '@sluice/protos/sluice/limit/v1/limit_events';
import { describe, test } from 'vitest';
import { ledgerFixture } from './testing/ledger-fixture.ts';

const limit = (revision: bigint, changes: Partial<KeyLimitSet> = {}): KeyLimitSet => ({
  limitId: `key1@${revision}`,
  accountId: 'acct_1',
  keyHash: 'key1',
  revision,
  limitNanoUsd: 5n,
  limitReset: 'daily',
  includeByokInLimit: false,
  ...changes,
});

async function fixture() {
  const ledger = await ledgerFixture();
  let published = 0;
  return {
    ...ledger,
    set: async (...facts: readonly KeyLimitSet[]) => {
      for (const fact of facts)
        await ledger.bus.publishFact(
          subjects.keyLimitSet('acct_1'),
          `limit-${++published}`,
          KeyLimitSet.toJSON(fact) as object,
        );
    },
    limits: async () =>
      await ledger.database.query<{ scope_kind: string; window_kind: string; limit: bigint }>({
        text: `SELECT scope_kind, window_kind, limit_nano_usd AS limit FROM limits ORDER BY 1, 2`,
        values: [],
      }),
  };
}

describe('the limit of a key', () => {
  test('is the one of the highest revision, whatever the order', async () => {
    const { set, limits, count, until } = await fixture();
    await set(limit(0n), limit(3n, { limitNanoUsd: 9n, limitReset: 'weekly' }), limit(1n));
    await until(async () => (await count('limits')) === 1);
    await set(limit(2n), limit(3n, { limitNanoUsd: 9n, limitReset: 'weekly' }));
    await set(limit(4n, { keyHash: 'key2', limitId: 'key2@4' }));
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
    await set(limit(2n, { limitNanoUsd: undefined }));
    await until(async () => (await count('limits')) === 0);
    await set(limit(1n), limit(0n, { keyHash: 'other' }));
    await until(async () => (await count('limits')) === 1);
    equal(await count(`limits WHERE scope_id = 'key1'`), 0);
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

  test.each<[string, Partial<KeyLimitSet>]>([
    ['a negative amount', { limitNanoUsd: -1n }],
    ['an absurd amount', { limitNanoUsd: 2n ** 62n }],
    ['a reset that nobody knows', { limitReset: 'hourly' }],
    ['no key', { keyHash: '' }],
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
