import { deepEqual, equal, rejects } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { aFact } from '../testing/a-fact.ts';
import { ledgerFixture } from '../testing/ledger-fixture.ts';

describe('the proof of a budget', () => {
  test('says what the limit is, what is settled and what is out on leases', async () => {
    const { client, database, publish, publishCredit, until, count } = await ledgerFixture();
    await publishCredit('c-1', 'purchase', 50_000n);
    await publish(aFact({ costNanoUsd: 700n }), aFact({ costNanoUsd: 40n, isByok: true }));
    await until(async () => (await count('usage_facts')) + (await count('credits')) === 3);
    const run = (text: string) => database.query({ text, values: [] });
    await run(`INSERT INTO leases (replica, epoch, number, account_id, scope_kind, scope_id,
        window_kind, window_start, granted_nano_usd, returned_nano_usd)
      VALUES ('r-0', 1, 1, 'acct_1', 'account', 'acct_1', 'lifetime', to_timestamp(0), 900, 100),
        ('r-1', 1, 1, 'acct_1', 'account', 'acct_1', 'lifetime', to_timestamp(0), 5, 0)`);
    const { budgets } = await client.getBudgetProof({ accountId: 'acct_1', scopeId: 'acct_1' });
    deepEqual(budgets, [
      {
        scopeKind: 'account',
        windowKind: 'lifetime',
        windowStart: '1970-01-01T00:00:00.000Z',
        limitNanoUsd: 50_000n,
        includeByok: false,
        settledNanoUsd: 700n,
        leasedNanoUsd: 805n,
        leases: 2n,
      },
    ]);
  });

  test('counts own keys where the limit does, in the window of now only', async () => {
    const { client, database, publish, until, count } = await ledgerFixture();
    const admittedAt = new Date().toISOString();
    await publish(
      aFact({ costNanoUsd: 3n, admittedAt }),
      aFact({ costNanoUsd: 40n, isByok: true, admittedAt }),
      aFact({ costNanoUsd: 500n, admittedAt: '2020-01-01T00:00:00.000Z' }),
    );
    await until(async () => (await count('usage_facts')) === 3);
    const run = (text: string) => database.query({ text, values: [] });
    await run(`INSERT INTO limits VALUES ('acct_1', 'key', 'key1', 'monthly', 1000, true)`);
    const { budgets } = await client.getBudgetProof({ accountId: 'acct_1', scopeId: 'key1' });
    equal(budgets.length, 1);
    equal(budgets[0]?.settledNanoUsd, 43n);
    equal(budgets[0]?.windowStart, `${admittedAt.slice(0, 7)}-01T00:00:00.000Z`);
  });

  test('is empty without a limit, and for another account', async () => {
    const { client, publishCredit, until, count } = await ledgerFixture();
    await publishCredit('c-1', 'purchase', 50_000n);
    await until(async () => (await count('credits')) === 1);
    const ask = (accountId: string, scopeId: string) =>
      client.getBudgetProof({ accountId, scopeId });
    equal((await ask('acct_2', 'acct_1')).budgets.length, 0);
    equal((await ask('acct_1', 'key1')).budgets.length, 0);
    equal((await ask('acct_1', 'acct_1')).budgets.length, 1);
    await rejects(ask('acct_1', 'a\0b'), { code: 'not_found' });
  });
});
