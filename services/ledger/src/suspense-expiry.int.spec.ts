import { deepEqual, equal, ok } from 'node:assert/strict';
import { Readable } from 'node:stream';
import { subjectFilters, usageStream } from '@sluice/bus';
import { createTelemetry } from '@sluice/telemetry';
import { type UsageFact, writeFact } from '@sluice/usage-facts';
import { describe, inject, onTestFinished, test } from 'vitest';
import { writeOffSuspense } from './administration/write-off-suspense.ts';
import { expireSuspense } from './commands/expire-suspense.ts';
import { createService } from './service.ts';
import { anEstimate } from '@sluice/usage-facts/testing';
import { credits, lease, leaseFixture } from './testing/lease-fixture.ts';
import { reconcileReceipts } from './verification/reconcile-receipts.ts';
import { verifyLedger } from './verification/verify-ledger.ts';

const hours = 24;
const creditsNanoUsd = 200_000n;
/** At the prices of the estimate: 10 × 10 + 200 × 20. */
const served = {
  upstreamId: 'resp_true',
  inputTokens: 10n,
  cachedTokens: 0n,
  outputTokens: 200n,
  reasoningTokens: 0n,
  isFree: false,
};
const servedNanoUsd = 4_100n;

async function withEstimates(...facts: readonly UsageFact[]) {
  const ledger = await leaseFixture(creditsNanoUsd);
  await ledger.publish(...facts);
  await ledger.until(async () => (await ledger.count('usage_facts')) === facts.length);
  const { database } = ledger;
  const run = async <Row extends object>(text: string) =>
    await database.query<Row>({ text, values: [] });
  const of = { postgresUrl: inject('postgresUrl'), schema: database.schema };
  let asked = 0n;
  return {
    ...ledger,
    run,
    of,
    age: (toHours: number) =>
      run(`UPDATE estimates SET opened_at = now() - make_interval(hours => ${toHours})`),
    expire: async () => (await expireSuspense(database, hours)).length,
    /** Returns the amount that the limit of a budget counts as spent. */
    settled: async (budget = credits) =>
      (await ledger.one('reader', lease(++asked, 0n, { budget }))).settledNanoUsd,
    books: async () => {
      const rows = await run<{ book: string; sum: bigint }>(
        'SELECT book, sum(amount_nano_usd)::bigint AS sum FROM postings GROUP BY book',
      );
      const sums = new Map(rows.map(({ book, sum }) => [book, sum]));
      return ['credits', 'suspense', 'operator', 'operator_usage', 'revenue'].map(
        (book) => sums.get(book) ?? 0n,
      );
    },
    differing: async () =>
      (await verifyLedger(of)).results
        .filter(({ differing }) => differing > 0n)
        .map(({ check }) => check),
  };
}

describe('what a customer has in suspense', () => {
  test('stays until its hours are over', async () => {
    const { age, expire, settled, count } = await withEstimates(anEstimate());
    await age(hours - 1);
    equal(await expire(), 0);
    equal(await settled(), 10_000n);
    equal(await count(`postings WHERE entry_kind = 'expiry'`), 0);
  });

  test('is then in suspense of the operator, and every limit of the customer has room again', async () => {
    const guardrailScopes = ['g1:key:key1'];
    const { age, expire, settled, books, differing, limit } = await withEstimates(
      anEstimate({ guardrailScopes }),
    );
    const day = { windowKind: 'daily', windowStart: '2026-11-18T00:00:00.000Z' };
    const scopes = [
      { scopeKind: 'key', scopeId: 'key1' },
      { scopeKind: 'workspace', scopeId: 'ws_1' },
      { scopeKind: 'guardrail', scopeId: 'g1:key:key1' },
    ];
    // The limit of a guardrail holds for each of its assignees.
    for (const { scopeKind, scopeId } of scopes)
      await limit({ scopeKind, scopeId: scopeId.split(':')[0] ?? '' }, 50_000n);
    const all = async () => [
      await settled(),
      ...(await Promise.all(scopes.map((scope) => settled({ ...credits, ...scope, ...day })))),
    ];
    deepEqual(await all(), [10_000n, 10_000n, 10_000n, 10_000n]);
    await age(hours);
    equal(await expire(), 1);
    deepEqual(await all(), [1_000n, 1_000n, 1_000n, 1_000n]);
    deepEqual(await books(), [creditsNanoUsd - 1_000n, 9_000n, -9_000n, 0n, 1_000n]);
    deepEqual(await differing(), []);
  });

  test('expires once, with any number of ledgers, and after a restart', async () => {
    const facts = Array.from({ length: 12 }, () => anEstimate());
    const { age, expire, settled, books, differing, count, run, bus, database, until } =
      await withEstimates(...facts);
    await age(hours);
    const telemetry = createTelemetry({ serviceName: 'ledger', otlpEndpoint: undefined });
    onTestFinished(() => telemetry.stop());
    const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
    const start = async () => {
      const restarted = createService({ bus, database, logger, telemetry });
      onTestFinished(() => restarted.stop());
      await restarted.start();
    };
    await Promise.all([start(), expire(), expire(), expire(), start()]);
    await until(async () => (await count('estimates WHERE expired_at IS NULL')) === 0);
    equal(await expire(), 0);
    equal(await settled(), 12_000n);
    deepEqual(await books(), [creditsNanoUsd - 12_000n, 108_000n, -108_000n, 0n, 12_000n]);
    deepEqual(await differing(), []);
    deepEqual(
      await run(`SELECT count(DISTINCT entry_id) FROM postings WHERE entry_kind = 'expiry'`),
      [{ count: 12n }],
    );
  });
});

describe('after an expiry', () => {
  test('the provider’s late answer costs the operator, and the customer no more than before', async () => {
    const estimate = anEstimate();
    const { client, age, expire, settled, books, differing, run } = await withEstimates(estimate);
    await age(hours);
    await expire();
    const { accountId, usageId } = estimate;
    deepEqual(await client.correctUsage({ accountId, usageId, ...served }), { isNew: true });
    deepEqual(await client.correctUsage({ accountId, usageId, ...served }), { isNew: false });
    equal(await settled(), 1_000n);
    deepEqual(await books(), [creditsNanoUsd - 1_000n, 0n, -3_100n, 3_100n, 1_000n]);
    deepEqual(await run('SELECT cost_nano_usd, upstream_cost_nano_usd FROM usage_facts'), [
      { cost_nano_usd: 1_000n, upstream_cost_nano_usd: servedNanoUsd },
    ]);
    equal(await expire(), 0);
    deepEqual(await differing(), []);
  });

  test('a receipt of less than was charged still gives the difference back', async () => {
    const estimate = anEstimate({ upstreamId: 'resp_1' });
    const { age, expire, settled, books, differing, of } = await withEstimates(estimate);
    await age(hours);
    await expire();
    const receipt = { id: 'resp_1', inputTokens: 10n, outputTokens: 1n, cachedTokens: 0n };
    const reconciled = await reconcileReceipts({
      ...of,
      apply: { isComplete: false },
      receipts: Readable.from([receipt]),
    });
    equal(reconciled.matched, 1n);
    equal(await settled(), 120n);
    deepEqual(await books(), [creditsNanoUsd - 120n, 0n, 0n, 0n, 120n]);
    deepEqual(await differing(), []);
  });

  test('a write-off ends the claim of the operator', async () => {
    const { age, expire, settled, books, differing, of } = await withEstimates(anEstimate());
    await age(hours);
    await expire();
    const written = await writeOffSuspense({ ...of, before: new Date(), isConfirmed: true });
    deepEqual(written, { estimates: 1n, suspendedNanoUsd: 9_000n, claimedNanoUsd: 0n });
    equal(await settled(), 1_000n);
    deepEqual(await books(), [creditsNanoUsd - 1_000n, 0n, 0n, 0n, 1_000n]);
    deepEqual(await differing(), []);
  });

  test('a correction before it leaves nothing to expire', async () => {
    const estimate = anEstimate();
    const { client, age, expire, settled, differing } = await withEstimates(estimate);
    const { accountId, usageId } = estimate;
    await client.correctUsage({ accountId, usageId, ...served });
    await age(hours);
    equal(await expire(), 0);
    equal(await settled(), servedNanoUsd);
    deepEqual(await differing(), []);
  });

  test('an earlier instant still shows what was in suspense then', async () => {
    const ledger = await withEstimates(anEstimate());
    const { age, expire, differing, accountProof, countEarlier } = ledger;
    await countEarlier();
    const before = new Date(Date.now() - 60_000).toISOString();
    await age(hours);
    await expire();
    deepEqual(await accountProof(before), [1_000n, 9_000n]);
    deepEqual(await accountProof(''), [1_000n, 0n]);
    deepEqual(await differing(), []);
  });
});

test('an expiry is published once, before the correction that follows it', async () => {
  const estimate = anEstimate();
  const { bus, client, age, expire, until, count } = await withEstimates(estimate);
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const heard: { id: string; data: Record<string, unknown> }[] = [];
  void bus.consume({
    stream: usageStream.name,
    durable: 'corrections',
    filter: subjectFilters.usageCorrected,
    batchMax: 1,
    signal: stopping.signal,
    handle: (batch) => {
      for (const { id, data } of batch)
        heard.push({ id: id ?? '', data: data as Record<string, unknown> });
      return Promise.resolve();
    },
  });
  await age(hours);
  await expire();
  const { accountId, usageId } = estimate;
  await client.correctUsage({ accountId, usageId, ...served });
  await until(() => Promise.resolve(heard.length === 2));
  await until(async () => (await count('estimates WHERE expiry_published_at IS NULL')) === 0);
  deepEqual(
    heard.map(({ id }) => id),
    [`${usageId}/expiry`, `${usageId}/provider`],
  );
  const { correctedAt, ...data } = heard[0]?.data ?? {};
  ok(correctedAt);
  const expected = {
    correctionId: `${usageId}/expiry`,
    source: 'expiry',
    fact: writeFact({ ...estimate, suspendedNanoUsd: 0n, operatorSuspendedNanoUsd: 9_000n }),
    estimatedInputTokens: '10',
    estimatedOutputTokens: '45',
    estimatedCostNanoUsd: '1000',
    estimatedUpstreamCostNanoUsd: '1000',
  };
  deepEqual(data, JSON.parse(JSON.stringify(expected)));
});
