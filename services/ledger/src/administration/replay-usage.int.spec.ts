import { deepEqual, equal } from 'node:assert/strict';
import { writeFact } from '@sluice/usage-facts';
import { inject, test } from 'vitest';
import { aByokFact, aFact, anEstimate } from '@sluice/usage-facts/testing';
import { ledgerFixture } from '../testing/ledger-fixture.ts';
import { replayUsage } from './replay-usage.ts';

async function replayed(
  schema: string,
  wanted: { from?: string; to?: string; accountId?: string } = {},
) {
  const { from = '2026-01-01T00:00:00Z', to, accountId } = wanted;
  const facts: object[] = [];
  const count = await replayUsage({
    postgresUrl: inject('postgresUrl'),
    schema,
    from: new Date(from),
    to: to === undefined ? undefined : new Date(to),
    accountId,
    onFacts: (page) => void facts.push(...page),
  });
  equal(count, facts.length);
  return facts;
}

const day = (number: number) => `2026-11-${String(number).padStart(2, '0')}T12:00:00.000Z`;

test('what was counted is replayed as it was on the bus', async () => {
  const { publish, until, count, database } = await ledgerFixture();
  const labels = { externalUser: 'customer-7', sessionId: 's-1', routing: '{"requested": ["m"]}' };
  const attempts = [
    { provider: 'sim', endpointId: 'e-1', errorCode: '', latencyMs: 370n, isByok: false },
  ];
  const facts = [
    aFact({ admittedAt: day(1), ...labels, attempts, specialTokens: { inputMedia: '3' } }),
    aByokFact({
      admittedAt: day(2),
      guardrailScopes: ['g:key:k'],
      appTitle: 'App',
      appCategories: ['chat'],
    }),
    anEstimate({ admittedAt: day(3), leaseEpoch: 1n, leaseNumbers: [4n] }),
  ];
  await publish(...facts);
  await until(async () => (await count('usage_facts')) === 3);
  deepEqual(await replayed(database.schema), facts.map(writeFact));
});

test('only the days and the account that are asked for are replayed, in the order of admission', async () => {
  const { publish, until, count, database } = await ledgerFixture();
  const facts = [5, 3, 1, 4, 2].map((number) => aFact({ admittedAt: day(number) }));
  await publish(...facts, aFact({ admittedAt: day(3), accountId: 'acct_2' }));
  await until(async () => (await count('usage_facts')) === 6);
  const admitted = async (wanted: Parameters<typeof replayed>[1]) =>
    (await replayed(database.schema, wanted)).map((fact) => Reflect.get(fact, 'admittedAt'));
  deepEqual(await admitted({ accountId: 'acct_1' }), [1, 2, 3, 4, 5].map(day));
  deepEqual(await admitted({ from: '2026-11-02', to: '2026-11-04', accountId: 'acct_1' }), [
    day(2),
    day(3),
  ]);
  deepEqual(await admitted({ accountId: 'acct_2' }), [day(3)]);
  deepEqual(await admitted({ from: '2026-12-01' }), []);
});

test('more facts than a page has are all replayed once', async () => {
  const { publishBundle, until, count, database } = await ledgerFixture();
  const facts = Array.from({ length: 2_003 }, () => aFact());
  for (let from = 0; from < facts.length; from += 50)
    await publishBundle(facts.slice(from, from + 50));
  await until(async () => (await count('usage_facts')) === facts.length);
  const ids = (await replayed(database.schema)).map((fact) => Reflect.get(fact, 'usageId'));
  deepEqual(new Set(ids), new Set(facts.map(({ usageId }) => usageId)));
  equal(ids.length, facts.length);
});
