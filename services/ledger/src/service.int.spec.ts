import { deepEqual, equal } from 'node:assert/strict';
import { subjects } from '@sluice/bus';
import { describe, test } from 'vitest';
import { aFact } from '@sluice/usage-facts/testing';
import { ledgerFixture as fixture, windows } from './testing/ledger-fixture.ts';

describe('usage', () => {
  test('is counted for the account and for the windows of the key', async () => {
    const { publish, keyUsage, client, until, count } = await fixture();
    await publish(
      aFact({ costNanoUsd: 1n }),
      aFact({ costNanoUsd: 10n, admittedAt: '2026-11-16T00:00:00Z' }),
      aFact({ costNanoUsd: 100n, admittedAt: '2026-11-15T23:59:59Z' }),
      aFact({ costNanoUsd: 1_000n, admittedAt: '2026-10-31T23:59:59Z' }),
      aFact({ costNanoUsd: 5n, isByok: true }),
      aFact({ costNanoUsd: 7n, keyHash: 'key2' }),
    );
    await until(async () => (await count('usage_facts')) === 6);
    deepEqual(await keyUsage(), {
      keyHash: 'key1',
      credits: windows(1_111n, 1n, 11n, 111n),
      byok: windows(5n),
      // Only an answer about the past has it.
      lastUsedAt: undefined,
    });
    deepEqual(await client.getCredits({ accountId: 'acct_1' }), {
      freeRequestsToday: { limit: 50n, used: 0n },
      totalCreditsNanoUsd: 0n,
      totalUsageNanoUsd: 1_118n,
      hasPurchased: false,
      purchasedNanoUsd: 0n,
    });
  });

  test('that comes again is counted once: in one batch, in a later one, from another writer', async () => {
    const { publish, keyUsage, until, count, watermark, metrics } = await fixture();
    const fact = aFact({ sequence: 1n });
    await publish(fact, fact);
    await publish(aFact({ sequence: 2n }));
    await until(async () => (await count('usage_facts')) === 2);
    await publish(fact, { ...fact, epoch: 2n });
    await until(async () => (await watermark('routing-0', 2n)) === 1n);
    equal((await keyUsage())?.credits?.lifetimeNanoUsd, 2_000n);
    equal(await count('dead_letters'), 0);
    const text = await metrics();
    equal(/ledger_facts_total\{outcome="counted".*\} 2\b/.test(text), true, text);
    equal(/ledger_facts_total\{outcome="duplicate".*\} 3\b/.test(text), true, text);
  });

  test('is counted once however it is cut into bundles, and in whatever order they come', async () => {
    const { publishBundle, keyUsage, until, count, watermark, metrics } = await fixture();
    const facts = Array.from({ length: 120 }, (_, index) =>
      aFact({ sequence: BigInt(index + 1), costNanoUsd: 1n }),
    );
    await publishBundle(facts.slice(0, 50));
    await publishBundle(facts.slice(50, 70));
    await until(async () => (await watermark()) === 70n);
    // The writer has restarted, and does not know which bundle carried a fact.
    for (const [from, to] of [
      [90, 120],
      [40, 90],
      [0, 40],
    ] as const)
      await publishBundle(facts.slice(from, to));
    await publishBundle(facts.slice(60, 90).toReversed());
    await until(async () => (await watermark()) === 120n);
    await until(async () => /outcome="duplicate".*\} 100\b/.test(await metrics()));
    equal(await count('usage_facts'), 120);
    equal((await keyUsage())?.credits?.lifetimeNanoUsd, 120n);
    equal(await count('dead_letters'), 0);
  });

  test('that was committed and not acknowledged is counted once', async () => {
    let crashes = 2;
    const { publish, keyUsage, until, count } = await fixture({
      bus: (memory) => ({
        ...memory,
        consume: (options) =>
          memory.consume({
            ...options,
            async handle(messages) {
              await options.handle(messages);
              if (crashes-- > 0) throw new Error('gone before the acknowledgement');
            },
          }),
      }),
    });
    await publish(aFact(), aFact());
    await until(async () => crashes < 0 && (await count('usage_facts')) === 2);
    equal((await keyUsage())?.credits?.lifetimeNanoUsd, 2_000n);
  });

  test('is counted once by two ledgers that share the work', async () => {
    const { publish, keyUsage, until, count, watermark } = await fixture({ ledgers: 2 });
    const facts = Array.from({ length: 1_200 }, (_, index) =>
      aFact({ sequence: BigInt(index + 1), costNanoUsd: 1n, keyHash: `key${index % 3}` }),
    );
    await Promise.all([publish(...facts), publish(...facts.toReversed())]);
    await until(async () => (await count('usage_facts')) === 1_200);
    await until(async () => (await watermark()) === 1_200n);
    for (const key of ['key0', 'key1', 'key2'])
      equal((await keyUsage(key))?.credits?.dailyNanoUsd, 400n);
  });

  test('tells whoever caches the spend of the account', async () => {
    const { bus, publish, until } = await fixture();
    const told: unknown[] = [];
    const { signal } = new AbortController();
    const handler = (message: { data: unknown }) => void told.push(message.data);
    await bus.subscribe(subjects.spendChanged('acct_1'), handler, { signal });
    await publish(aFact());
    await until(async () => told.length > 0);
    deepEqual(told, [{ accountId: 'acct_1' }]);
  });
});

describe('the watermark', () => {
  test('is the highest sequence below which nothing is missing', async () => {
    const { publish, watermark, until, count } = await fixture();
    const at = (sequence: bigint) => aFact({ sequence });
    equal(await watermark(), 0n);
    await publish(at(2n), at(5n));
    await until(async () => (await count('usage_facts')) === 2);
    equal(await watermark(), 0n);
    await publish(at(1n), at(4n));
    await until(async () => (await watermark()) === 2n);
    await publish(at(3n));
    await until(async () => (await watermark()) === 5n);
    equal(await watermark('routing-0', 2n), 0n);
    equal(await watermark('routing-1'), 0n);
  });

  test('passes a fact that became a dead letter', async () => {
    const { publish, watermark, until, count } = await fixture();
    await publish(aFact({ sequence: 1n, costNanoUsd: -1n }), aFact({ sequence: 2n }));
    await until(async () => (await watermark()) === 2n);
    equal(await count('dead_letters'), 1);
    equal(await count('usage_facts'), 1);
  });
});

describe('credits', () => {
  test('are counted once each, refunds taken off', async () => {
    const { client, publishCredit, until } = await fixture();
    const credits = () => client.getCredits({ accountId: 'acct_1' });
    await publishCredit('c1', 'grant', 10n);
    await until(async () => (await credits()).totalCreditsNanoUsd === 10n);
    equal((await credits()).hasPurchased, false);
    await publishCredit('c2', 'purchase', 100n);
    await publishCredit('c2', 'purchase', 100n);
    await publishCredit('c3', 'refund', -30n);
    await until(async () => (await credits()).totalCreditsNanoUsd === 80n);
    deepEqual(await credits(), {
      freeRequestsToday: { limit: 50n, used: 0n },
      totalCreditsNanoUsd: 80n,
      totalUsageNanoUsd: 0n,
      hasPurchased: true,
      purchasedNanoUsd: 100n,
    });
  });

  test('with the wrong sign become dead letters', async () => {
    const { count, publishCredit, until } = await fixture();
    await publishCredit('c1', 'purchase', -10n);
    await until(async () => (await count('dead_letters')) === 1);
    equal(await count('credits'), 0);
  });
});
