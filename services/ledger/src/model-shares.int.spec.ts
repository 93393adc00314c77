import { deepEqual, equal, ok } from 'node:assert/strict';
import { aFact } from '@sluice/usage-facts/testing';
import { describe, test } from 'vitest';
import { ledgerFixture as fixture } from './testing/ledger-fixture.ts';

const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();

/** Counts what accounts spent today on models. Returns the shares. */
async function sharesOf(spent: Readonly<Record<string, Readonly<Record<string, bigint>>>>) {
  const { client, publish, until, count } = await fixture();
  const facts = Object.entries(spent).flatMap(([accountId, models]) =>
    Object.entries(models).map(([model, costNanoUsd]) => {
      const at = daysAgo(0);
      return aFact({ accountId, model, costNanoUsd, admittedAt: at, completedAt: at });
    }),
  );
  for (const fact of facts) await publish(fact);
  await until(async () => (await count('usage_facts')) === facts.length);
  const { shares, onlyAccountId } = await client.listModelShares({});
  const rounded = shares.map(({ model, share }) => [model, Number(share.toFixed(3))]);
  return { shares: rounded, onlyAccountId };
}

describe('the shares of models', () => {
  test('count each account alike, however much it spends', async () => {
    const small = { 'a/x': 50n, 'a/y': 50n };
    deepEqual(
      await sharesOf({
        one: { 'a/x': 1_000_000_000n },
        two: small,
        three: small,
        four: small,
        five: small,
        six: { ...small, 'a/rare': 100n },
      }),
      {
        // (1 + 4 × 0.5 + 0.25) / 6, and (4 × 0.5 + 0.25) / 6. Only one account uses a/rare.
        shares: [
          ['a/x', 0.542],
          ['a/y', 0.375],
        ],
        onlyAccountId: '',
      },
    );
  });

  test('are none with two to four accounts', async () => {
    const spent = { 'a/x': 1n };
    const accounts = { one: spent, two: spent, three: spent, four: spent };
    deepEqual(await sharesOf(accounts), { shares: [], onlyAccountId: '' });
  });

  test('of a single account are marked as its own', async () => {
    deepEqual(await sharesOf({ one: { 'a/x': 3n, 'a/y': 1n, 'a/free': 0n } }), {
      shares: [
        ['a/x', 0.75],
        ['a/y', 0.25],
      ],
      onlyAccountId: 'one',
    });
  });

  test('are of seven days, and none where nothing was spent', async () => {
    const { client, publish, until, count } = await fixture();
    deepEqual(await client.listModelShares({}), { shares: [], onlyAccountId: '' });
    const old = daysAgo(8);
    await publish(aFact({ model: 'a/old', admittedAt: old, completedAt: old }));
    const recent = daysAgo(5);
    await publish(aFact({ model: 'a/new', admittedAt: recent, completedAt: recent }));
    await until(async () => (await count('usage_facts')) === 2);
    const { shares } = await client.listModelShares({});
    equal(shares.length, 1);
    ok(shares[0]?.model === 'a/new' && shares[0].share === 1);
  });
});
