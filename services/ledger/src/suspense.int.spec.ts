import { deepEqual, equal, rejects } from 'node:assert/strict';
import { subjectFilters, usageStream } from '@sluice/bus';
import { describe, inject, onTestFinished, test } from 'vitest';
import { aFact, anEstimate } from '@sluice/usage-facts/testing';
import { credits, lease, leaseFixture } from './testing/lease-fixture.ts';
import { writeFact } from '@sluice/usage-facts';
import { verifyLedger } from './verification/verify-ledger.ts';

const served = {
  upstreamId: 'resp_true',
  inputTokens: 10n,
  cachedTokens: 0n,
  outputTokens: 200n,
  reasoningTokens: 8n,
  isFree: false,
};
/** At the prices of the estimate: 10 × 10 + 200 × 20. */
const servedNanoUsd = 4_100n;

async function withEstimate(...more: Parameters<typeof anEstimate>) {
  const ledger = await leaseFixture(20_000n);
  const estimate = anEstimate(...more);
  await ledger.publish(estimate);
  await ledger.until(async () => (await ledger.count('usage_facts')) === 1);
  const { accountId, usageId, generationId } = estimate;
  const run = async <Row extends object>(text: string) =>
    await ledger.database.query<Row>({ text, values: [] });
  return {
    ...ledger,
    run,
    estimate,
    correct: (
      changes: Partial<typeof served> & { accountId?: string; webSearches?: bigint } = {},
    ) => ledger.client.correctUsage({ accountId, usageId, ...served, ...changes }),
    generation: async () =>
      (await ledger.client.getGeneration({ accountId, generationId })).generation,
    spent: async () => (await ledger.keyUsage())?.credits?.dailyNanoUsd,
    bookNanoUsd: async (book: string) =>
      (
        await run<{ sum: bigint }>(
          `SELECT coalesce(sum(amount_nano_usd), 0)::bigint AS sum FROM postings WHERE book = '${book}'`,
        )
      )[0]?.sum,
    differing: async () => {
      const { schema } = ledger.database;
      const { results } = await verifyLedger({ postgresUrl: inject('postgresUrl'), schema });
      return results.filter(({ differing }) => differing > 0n).map(({ check }) => check);
    },
  };
}

describe('what an estimate has in suspense', () => {
  test('is no spend, and no limit has room for it', async () => {
    const { spent, one, bookNanoUsd, differing } = await withEstimate();
    equal(await spent(), 1_000n);
    equal(await bookNanoUsd('suspense'), 9_000n);
    equal(await bookNanoUsd('credits'), 20_000n - 1_000n - 9_000n);
    const answer = await one('a', lease(1n, 20_000n));
    deepEqual([answer.settledNanoUsd, answer.grantedNanoUsd], [10_000n, 10_000n]);
    deepEqual(await differing(), []);
  });

  test('comes off the leases that paid for its hold', async () => {
    const { one, publish, until, count } = await leaseFixture(20_000n);
    equal((await one('routing-0', lease(1n, 12_000n))).grantedNanoUsd, 12_000n);
    await publish(anEstimate({ leaseEpoch: 1n, leaseNumbers: [1n] }));
    await until(async () => (await count('estimates')) === 1);
    const renewed = lease(1n, 0n, { grantedNanoUsd: 12_000n });
    const { countedNanoUsd, settledNanoUsd, leasedNanoUsd } = await one('routing-0', renewed);
    deepEqual([countedNanoUsd, settledNanoUsd, leasedNanoUsd], [10_000n, 10_000n, 2_000n]);
  });

  test('is free again when the provider says what it served, and the row says so too', async () => {
    const { correct, generation, spent, bookNanoUsd, one, differing } = await withEstimate();
    deepEqual(await correct(), { isNew: true });
    const row = await generation();
    deepEqual(
      [row?.costNanoUsd, row?.outputTokens, row?.reasoningTokens, row?.estimated, row?.upstreamId],
      [servedNanoUsd, 200n, 8n, false, 'resp_true'],
    );
    equal(await spent(), servedNanoUsd);
    equal(await bookNanoUsd('suspense'), 0n);
    equal(await bookNanoUsd('revenue'), servedNanoUsd);
    equal((await one('a', lease(1n, 1n))).settledNanoUsd, servedNanoUsd);
    deepEqual(await differing(), []);
  });

  test('is corrected with what a cache of the provider saved of the truth', async () => {
    const { correct, generation, differing } = await withEstimate({ cacheDiscountNanoUsd: 1n });
    equal((await generation())?.cacheDiscountNanoUsd, 1n);
    // 4 tokens of the input cost 5 instead of 10.
    await correct({ cachedTokens: 4n });
    equal((await generation())?.cacheDiscountNanoUsd, 20n);
    deepEqual(await differing(), []);
  });

  test('is corrected with the discount of its request, which the operator pays', async () => {
    const discount = { dataDiscountNanoUsd: 10n, dataDiscountBasisPoints: 100n };
    const amounts = { costNanoUsd: 990n, upstreamCostNanoUsd: 1_000n };
    const { correct, generation, spent, bookNanoUsd, differing } = await withEstimate({
      ...discount,
      ...amounts,
    });
    equal(await bookNanoUsd('operator_usage'), 10n);
    await correct();
    const row = await generation();
    const off = servedNanoUsd / 100n;
    deepEqual([row?.costNanoUsd, row?.dataDiscountNanoUsd], [servedNanoUsd - off, off]);
    equal(await spent(), servedNanoUsd - off);
    equal(await bookNanoUsd('revenue'), servedNanoUsd - off);
    equal(await bookNanoUsd('operator_usage'), off);
    equal(await bookNanoUsd('suspense'), 0n);
    deepEqual(await differing(), []);
  });

  test('is corrected at the prices of as long a prompt as it had', async () => {
    const { prices } = anEstimate();
    const { correct, generation } = await withEstimate({
      prices: {
        ...prices,
        'inputTokenAttoUsd.above.9': '30000000000',
        'outputTokenAttoUsd.above.9': '25000000000',
        'inputTokenAttoUsd.above.10': '90000000000',
      },
    });
    await correct();
    equal((await generation())?.costNanoUsd, 10n * 30n + 200n * 25n);
  });

  test('is corrected with the searches of the provider at their price', async () => {
    const { prices } = anEstimate();
    const { correct, generation } = await withEstimate({
      prices: { ...prices, webSearchAttoUsd: '700000000000' },
    });
    await correct({ webSearches: 2n });
    equal((await generation())?.costNanoUsd, servedNanoUsd + 2n * 700n);
  });

  test('is corrected once, also when the estimate is delivered again', async () => {
    const { correct, publish, estimate, spent, count, until, watermark, differing } =
      await withEstimate();
    const [first, second] = await Promise.all([correct(), correct()]);
    equal(first.isNew, !second.isNew);
    deepEqual(await correct({ outputTokens: 100n }), { isNew: false });
    await publish(estimate, aFact({ keyHash: 'other', sequence: estimate.sequence + 1n }));
    await until(async () => (await count('usage_facts')) === 2);
    await watermark();
    equal(await spent(), servedNanoUsd);
    equal(await count('corrections'), 1);
    equal(await count('dead_letters'), 0);
    deepEqual(await differing(), []);
  });

  test('may turn out to be less than was charged', async () => {
    const { correct, spent, bookNanoUsd, differing } = await withEstimate();
    await correct({ outputTokens: 1n, reasoningTokens: 0n });
    equal(await spent(), 120n);
    await correct();
    equal(await bookNanoUsd('revenue'), 120n);
    deepEqual(await differing(), []);
  });

  test('is all that a truth beyond the hold can cost', async () => {
    const { correct, spent, run, differing } = await withEstimate({ claimedNanoUsd: 77n });
    await correct({ outputTokens: 1_000n });
    equal(await spent(), 10_000n);
    deepEqual(await run('SELECT absorbed_nano_usd FROM corrections'), [
      { absorbed_nano_usd: 10_100n },
    ]);
    deepEqual(await differing(), []);
  });

  test('is free when the provider charges nothing', async () => {
    const { correct, spent, generation } = await withEstimate();
    await correct({ isFree: true });
    equal(await spent(), 0n);
    equal((await generation())?.outputTokens, 200n);
  });

  test('counts per key, workspace and guardrail as well', async () => {
    const guardrailScopes = ['g1:key:key1'];
    const { one, limit, correct, differing } = await withEstimate({ guardrailScopes });
    const day = { windowKind: 'daily', windowStart: '2026-11-18T00:00:00.000Z' };
    const scopes = [
      ['key', 'key1', 'key1'],
      ['workspace', 'ws_1', 'ws_1'],
      ['guardrail', 'g1', 'g1:key:key1'],
    ] as const;
    const settled = async (replica: string) =>
      await Promise.all(
        scopes.map(async ([scopeKind, , scopeId], index) => {
          const budget = { ...credits, ...day, scopeKind, scopeId };
          return (await one(replica, lease(BigInt(index + 1), 1n, { budget }))).settledNanoUsd;
        }),
      );
    for (const [scopeKind, scopeId] of scopes) await limit({ scopeKind, scopeId }, 50_000n);
    deepEqual(await settled('a'), [10_000n, 10_000n, 10_000n]);
    await correct();
    deepEqual(await settled('b'), [servedNanoUsd, servedNanoUsd, servedNanoUsd]);
    deepEqual(await differing(), []);
  });
});

test('usage that a provider told and that cannot be true is kept as it came', async () => {
  const providerUsage = Buffer.from('{"output_tokens":-1}');
  const reason = { estimateReason: 'absurd_usage', outcome: 'completed', finishReason: 'stop' };
  const { run, publish, estimate, until, count } = await withEstimate({ ...reason, providerUsage });
  await publish(estimate, anEstimate({ ...reason, providerUsage }));
  await until(async () => (await count('usage_facts')) === 2);
  const kept = await run<{ message_id: string; reason: string; raw: Uint8Array }>(
    'SELECT message_id, reason, raw FROM dead_letters ORDER BY received_at',
  );
  equal(kept.length, 2);
  deepEqual(
    [kept[0]?.message_id, kept[0]?.reason, Buffer.from(kept[0]?.raw ?? '').toString()],
    [
      estimate.usageId,
      'the usage that the provider told cannot be charged (absurd_usage)',
      '{"output_tokens":-1}',
    ],
  );
});

test('what is in suspense shows in the metrics', async () => {
  const { metrics, until } = await withEstimate();
  await until(async () => /^ledger_suspense_usd\{.*\} 0\.000009/m.test(await metrics()));
  const text = await metrics();
  for (const line of [/^ledger_suspense\{.*\} 1/m, /^ledger_estimates\{.*\} 1/m])
    equal(line.test(text), true);
  equal(/^ledger_lag_seconds\{.*\} [\d.]+/m.test(text), true);
});

describe('who corrects', () => {
  test('is told of the open estimates of its replica', async () => {
    const { client, correct, estimate } = await withEstimate();
    const list = async (replica: string) =>
      (await client.listEstimates({ replica, limit: 10 })).estimates;
    const { usageId, accountId, model, endpointId, upstreamId, suspendedNanoUsd } = estimate;
    deepEqual(await list('routing-0'), [
      { usageId, accountId, model, endpointId, upstreamId, suspendedNanoUsd },
    ]);
    deepEqual(await list('routing-1'), []);
    await correct();
    deepEqual(await list('routing-0'), []);
  });

  test('finds nothing of another account, and nothing to correct in what the provider counted', async () => {
    const { client, correct, publish, until, count } = await withEstimate();
    await rejects(correct({ accountId: 'acct_2' }), { code: 'not_found' });
    const exact = aFact();
    await publish(exact);
    await until(async () => (await count('usage_facts')) === 2);
    const { accountId, usageId } = exact;
    await rejects(client.correctUsage({ accountId, usageId, ...served }), { code: 'not_found' });
  });

  test('is refused counts that cannot be true', async () => {
    const { correct, client } = await withEstimate();
    await rejects(correct({ outputTokens: -1n }), { code: 'invalid_request' });
    await rejects(correct({ cachedTokens: 11n }), { code: 'invalid_request' });
    await rejects(client.listEstimates({ replica: 'a', limit: 501 }), { code: 'invalid_request' });
  });
});

test('a correction is published, with the values before and the fact as it counts from now on', async () => {
  const { bus, estimate, correct, until, count } = await withEstimate();
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const heard: unknown[] = [];
  void bus.consume({
    stream: usageStream.name,
    durable: 'corrections',
    filter: subjectFilters.usageCorrected,
    batchMax: 1,
    signal: stopping.signal,
    handle: (batch) => {
      heard.push(...batch.map(({ id, data }) => ({ id, data })));
      return Promise.resolve();
    },
  });
  await correct();
  await until(async () => (await count('corrections WHERE published_at IS NOT NULL')) === 1);
  await until(() => Promise.resolve(heard.length === 1));
  const correctionId = `${estimate.usageId}/provider`;
  const [{ id, data }] = heard as [{ id: string; data: Record<string, unknown> }];
  equal(id, correctionId);
  const { correctedAt: _, ...rest } = data;
  const expected = {
    correctionId,
    source: 'provider',
    fact: {
      ...writeFact(estimate),
      upstreamId: 'resp_true',
      outputTokens: '200',
      reasoningTokens: '8',
      costNanoUsd: String(servedNanoUsd),
      upstreamCostNanoUsd: String(servedNanoUsd),
      estimated: undefined,
      estimateReason: undefined,
      suspendedNanoUsd: undefined,
      prices: undefined,
    },
    estimatedInputTokens: '10',
    estimatedOutputTokens: '45',
    estimatedCostNanoUsd: '1000',
    estimatedUpstreamCostNanoUsd: '1000',
  };
  deepEqual(rest, JSON.parse(JSON.stringify(expected)));
});
