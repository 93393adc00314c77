import { deepEqual, equal, rejects } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { aFact, anEstimate } from '@sluice/usage-facts/testing';
import { credits, lease, leaseFixture } from '../testing/lease-fixture.ts';
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
    const { budgets } = await client.getBudgetProof({
      accountId: 'acct_1',
      scopeId: 'acct_1',
      at: '',
    });
    deepEqual(budgets, [
      {
        scopeKind: 'account',
        scopeId: 'acct_1',
        windowKind: 'lifetime',
        windowStart: '1970-01-01T00:00:00.000Z',
        limitNanoUsd: 50_000n,
        includeByok: false,
        settledNanoUsd: 700n,
        suspendedNanoUsd: 0n,
        leasedNanoUsd: 805n,
        leases: 2n,
        heldNanoUsd: 0n,
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
    const { budgets } = await client.getBudgetProof({
      accountId: 'acct_1',
      scopeId: 'key1',
      at: '',
    });
    equal(budgets.length, 1);
    equal(budgets[0]?.settledNanoUsd, 43n);
    equal(budgets[0]?.windowStart, `${admittedAt.slice(0, 7)}-01T00:00:00.000Z`);
  });

  test('of a guardrail is one of each assignee, with what is held of the leases', async () => {
    const { client, publish, limit, until, count, one } = await leaseFixture(0n);
    const admittedAt = new Date().toISOString();
    const windowStart = `${admittedAt.slice(0, 10)}T00:00:00.000Z`;
    await limit({ scopeKind: 'guardrail', scopeId: 'g1' }, 50n);
    await publish(aFact({ costNanoUsd: 20n, admittedAt, guardrailScopes: ['g1:member:user_1'] }));
    await until(async () => (await count('usage_facts')) === 1);
    const scope = { scopeKind: 'guardrail', scopeId: 'g1:key:key1' };
    const budget = { ...credits, ...scope, windowKind: 'daily', windowStart };
    await one('a', lease(1n, 30n, { budget }));
    const renewed = { budget, grantedNanoUsd: 30n, heldNanoUsd: 12n };
    await one('a', lease(1n, 0n, renewed));
    const proof = async (scopeId: string) =>
      (await client.getBudgetProof({ accountId: 'acct_1', scopeId, at: '' })).budgets;
    deepEqual(
      (await proof('g1')).map((row) => [
        row.scopeId,
        row.limitNanoUsd,
        row.settledNanoUsd,
        row.leasedNanoUsd,
        row.heldNanoUsd,
      ]),
      [
        ['g1:key:key1', 50n, 0n, 30n, 12n],
        ['g1:member:user_1', 50n, 20n, 0n, 0n],
      ],
    );
    equal((await proof('g')).length, 0);
    await one('a', lease(1n, 0n, { ...renewed, returnedNanoUsd: 30n }));
    const [first] = await proof('g1');
    deepEqual([first?.leasedNanoUsd, first?.heldNanoUsd], [0n, 0n]);
  });

  test('is empty without a limit, and for another account', async () => {
    const { client, publishCredit, until, count } = await ledgerFixture();
    await publishCredit('c-1', 'purchase', 50_000n);
    await until(async () => (await count('credits')) === 1);
    const ask = (accountId: string, scopeId: string) =>
      client.getBudgetProof({ accountId, scopeId, at: '' });
    equal((await ask('acct_2', 'acct_1')).budgets.length, 0);
    equal((await ask('acct_1', 'key1')).budgets.length, 0);
    equal((await ask('acct_1', 'acct_1')).budgets.length, 1);
    await rejects(ask('acct_1', 'a\0b'), { code: 'not_found' });
  });
});

describe('the proof of a past instant', () => {
  test('goes by the limit of the time and by what was counted by then', async () => {
    const ledger = await leaseFixture(0n);
    const { client, database, publish, limit, until, count } = ledger;
    const run = (text: string) => database.query({ text, values: [] });
    const spent = { admittedAt: '2026-11-18T12:00:00.000Z', guardrailScopes: ['g1:member:user_1'] };
    await limit({ scopeKind: 'workspace', scopeId: 'ws_1' }, 100n);
    await limit({ scopeKind: 'guardrail', scopeId: 'g1' }, 50n);
    await publish(aFact({ costNanoUsd: 7n, ...spent }));
    await until(async () => (await count('usage_facts')) === 1);
    await run(`UPDATE limit_history SET set_at = '2026-11-18T00:00:00Z'`);
    await run(`UPDATE usage_facts SET counted_at = '2026-11-18T13:00:00Z'`);
    await limit({ scopeKind: 'workspace', scopeId: 'ws_1' }, 5n);
    await publish(aFact({ costNanoUsd: 90n, ...spent }));
    await until(async () => (await count('usage_facts')) === 2);
    const proof = async (scopeId: string, at: string) => {
      const { budgets } = await client.getBudgetProof({ accountId: 'acct_1', scopeId, at });
      return budgets.map((one) => [one.scopeId, one.limitNanoUsd, one.settledNanoUsd]);
    };
    deepEqual(await proof('ws_1', '2026-11-18T12:59:59Z'), [['ws_1', 100n, 0n]]);
    deepEqual(await proof('ws_1', '2026-11-18T14:00:00Z'), [['ws_1', 100n, 7n]]);
    deepEqual(await proof('g1', '2026-11-18T14:00:00Z'), [['g1:member:user_1', 50n, 7n]]);
    deepEqual(await proof('ws_1', '2026-11-19T14:00:00Z'), [['ws_1', 100n, 0n]]);
    deepEqual(await proof('ws_1', '2026-11-17T14:00:00Z'), []);
    const { budgets } = await client.getBudgetProof({
      accountId: 'acct_1',
      scopeId: 'ws_1',
      at: '2026-11-18T14:00:00Z',
    });
    equal(budgets[0]?.leasedNanoUsd, undefined);
  });

  test('counts an estimate as it was until it was corrected', async () => {
    const ledger = await ledgerFixture();
    const { client, publish, publishCredit, until, count, accountProof } = ledger;
    await publishCredit('c-1', 'purchase', 50_000n);
    const estimate = anEstimate({ replica: 'routing-0' });
    await publish(estimate);
    await until(async () => (await count('usage_facts')) + (await count('credits')) === 2);
    await ledger.countEarlier();
    const before = new Date(Date.now() - 60_000).toISOString();
    const then = [estimate.costNanoUsd, estimate.suspendedNanoUsd];
    deepEqual(await accountProof(before), then);
    const { usageId, accountId } = estimate;
    const counts = { inputTokens: 0n, cachedTokens: 0n, outputTokens: 0n, reasoningTokens: 0n };
    await client.correctUsage({ usageId, accountId, upstreamId: 'x', ...counts, isFree: true });
    deepEqual(await accountProof(before), then);
    deepEqual(await accountProof(''), [0n, 0n]);
  });

  test('is refused for what is no instant or is yet to come', async () => {
    const { client } = await ledgerFixture();
    const ask = (at: string) => client.getBudgetProof({ accountId: 'acct_1', scopeId: 'ws_1', at });
    for (const at of ['yesterday', '2026-02-30T00:00:00Z', '2199-01-01T00:00:00Z'])
      await rejects(ask(at), { code: 'invalid_request' });
  });
});
