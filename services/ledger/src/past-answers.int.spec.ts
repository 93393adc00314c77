import { deepEqual, equal, rejects } from 'node:assert/strict';
import { aByokFact, aFact, aFailure, anEstimate, aToolFact } from '@sluice/usage-facts/testing';
import { describe, test } from 'vitest';
import { at as usual, ledgerFixture } from './testing/ledger-fixture.ts';

const accountId = 'acct_1';
const served = {
  accountId,
  upstreamId: 'resp_true',
  inputTokens: 12n,
  cachedTokens: 2n,
  outputTokens: 90n,
  reasoningTokens: 0n,
  isFree: false,
};

/** A ledger that notes what it answered after each step, with the instant of the answer. */
async function noted() {
  const fixture = await ledgerFixture();
  const { client, database } = fixture;
  const known = new Map<string, object>();
  const ask = async (at?: string) => {
    const { freeRequestsToday: _today, ...credits } = await client.getCredits({ accountId, at });
    const usages = await Promise.all(
      ['key1', 'key2'].map(async (keyHash) => {
        // The windows of the facts, whenever the test runs.
        const { usages: all } = await client.getKeyUsage({
          accountId,
          keyHashes: [keyHash],
          at: at ?? usual,
          ...(at !== undefined && { asOf: true }),
        });
        return [all[0]?.credits?.lifetimeNanoUsd, all[0]?.byok?.lifetimeNanoUsd];
      }),
    );
    return { credits, usages };
  };
  const note = async () => {
    const [row] = await database.query<{ at: Date }>({
      text: 'SELECT clock_timestamp() AS at',
      values: [],
    });
    known.set(row?.at.toISOString() ?? '', await ask());
  };
  return { ...fixture, known, ask, note };
}

describe('what was known at an instant', () => {
  test('is what was answered then, while usage of every kind was counted and corrected', async () => {
    const { client, publish, publishCredit, until, count, known, ask, note } = await noted();
    const estimates = [anEstimate(), anEstimate({ keyHash: 'key2' }), anEstimate()];
    const [first, second, third] = estimates.map(({ usageId }) => usageId);
    await note();
    await publishCredit('c-1', 'purchase', 50_000n);
    await until(async () => (await count('credits')) === 1);
    await note();
    for (const facts of [
      [aFact(), aFact({ keyHash: 'key2' }), aFact({ accountId: 'acct_2' })],
      [aByokFact(), aToolFact(), aFailure(), ...estimates],
      [aFact({ admittedAt: '2026-10-01T00:00:00.000Z' })],
    ]) {
      const before = await count('usage_facts');
      await publish(...facts);
      await until(async () => (await count('usage_facts')) === before + facts.length);
      await note();
    }
    await client.correctUsage({ ...served, usageId: first ?? '' });
    await note();
    await publishCredit('c-2', 'refund', -20_000n);
    await until(async () => (await count('credits')) === 2);
    await note();
    await client.correctUsage({ ...served, usageId: second ?? '', isFree: true });
    await note();
    await publish(aByokFact({ keyHash: 'key2' }));
    await client.correctUsage({ ...served, usageId: third ?? '', outputTokens: 5_000n });
    await until(async () => (await count('usage_facts')) === 11);
    await note();
    equal(known.size, 9);
    for (const [at, answer] of known) deepEqual(await ask(at), answer, at);
    equal(new Set([...known.values()].map((one) => JSON.stringify(one, text))).size, 9);
  });

  test('has the windows and the last use of that instant', async () => {
    const { client, database, publish, until, count } = await ledgerFixture();
    const days = ['2026-11-16', '2026-11-17', '2026-11-18'];
    await publish(...days.map((day) => aFact({ admittedAt: `${day}T10:00:00.000Z` })));
    await until(async () => (await count('usage_facts')) === 3);
    // Each fact now counts as if it had been counted when it was admitted.
    await database.query({ text: 'UPDATE usage_facts SET counted_at = admitted_at', values: [] });
    const askedAt = async (at: string) => {
      const question = { accountId, keyHashes: ['key1', 'none'], at, asOf: true };
      const { usages } = await client.getKeyUsage(question);
      return usages.map(({ credits, lastUsedAt }) => [
        credits?.lifetimeNanoUsd,
        credits?.weeklyNanoUsd,
        credits?.dailyNanoUsd,
        lastUsedAt,
      ]);
    };
    const none = [0n, 0n, 0n, undefined];
    deepEqual(await askedAt('2026-11-16T09:00:00Z'), [none, none]);
    deepEqual(await askedAt('2026-11-17T11:00:00Z'), [
      [2_000n, 2_000n, 1_000n, '2026-11-17T10:00:00.000Z'],
      none,
    ]);
    deepEqual(await askedAt('2026-11-23T00:00:00Z'), [
      [3_000n, 0n, 0n, '2026-11-18T10:00:00.000Z'],
      none,
    ]);
  });

  test('is refused for what is no instant', async () => {
    const { client } = await ledgerFixture();
    for (const at of ['yesterday', '2026-02-30T00:00:00Z', ''])
      await rejects(client.getCredits({ accountId, at }), { code: 'invalid_request' });
  });
});

const text = (_name: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
