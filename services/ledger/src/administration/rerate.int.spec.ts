import { deepEqual, equal } from 'node:assert/strict';
import { parseCatalogFile, priceBookOf } from '@sluice/catalog';
import { inject, test } from 'vitest';
import {
  aByokFact,
  aDiscountedFact,
  aFact,
  aFailure,
  anEstimate,
  aToolFact,
} from '@sluice/usage-facts/testing';
import { correctUsage } from '../commands/correct-usage.ts';
import { ledgerFixture } from '../testing/ledger-fixture.ts';
import { rerate, type RerateDimension } from './rerate.ts';

/** At a factor of 1, `anEstimate` and `aFact` cost what their fixtures were charged, and a search costs 1,000. */
const bookAt = (factor: bigint) => {
  const usd = (nanoUsd: bigint) => `0.${String(nanoUsd * factor).padStart(9, '0')}`;
  return priceBookOf(
    parseCatalogFile(`
models:
  - id: sim/small
    provider: sim
    upstream_model: small
    pricing: { prompt: "${usd(10n)}", completion: "${usd(20n)}", input_cache_read: "${usd(5n)}" }
tool_prices: [{ tool: "service:web_search", engine: tavily, call: "${usd(1_000n)}" }]
`),
  );
};

const plain = { inputTokens: 10n, cachedTokens: 0n, outputTokens: 45n };
const served = { upstreamId: 'resp_true', inputTokens: 12n, cachedTokens: 2n, reasoningTokens: 0n };
const terms = { allowanceNanoUsd: 10n ** 12n, feeBasisPoints: 500 };

const rateAt = (factor: bigint, schema: string) =>
  rerate({
    postgresUrl: inject('postgresUrl'),
    schema,
    from: new Date('2026-11-01'),
    by: [],
    prices: bookAt(factor),
    terms,
  });

/** A fact of every kind, of two accounts: 15 that an account was served, and one of the operator. */
async function everyKind() {
  const fixture = await ledgerFixture();
  const { client, database, publish, until, count } = fixture;
  const estimates = {
    receipt: anEstimate(),
    absorbed: anEstimate({ holdNanoUsd: 2_000n, suspendedNanoUsd: 1_000n }),
    amount: anEstimate(),
    unserved: anEstimate(),
    open: anEstimate(),
    aboveHold: anEstimate({
      ...plain,
      outcome: 'completed',
      finishReason: 'stop',
      costNanoUsd: 700n,
      holdNanoUsd: 700n,
      suspendedNanoUsd: 0n,
      claimedNanoUsd: 300n,
      estimateReason: 'above_hold',
    }),
  };
  const search = aToolFact({ provider: 'tavily' });
  await publish(
    aFact(plain),
    aFact({ ...plain, accountId: 'acct_2', workspaceId: 'ws_2', keyHash: 'key2' }),
    aFact({ ...plain, model: 'other/model', workspaceId: 'ws_3' }),
    aByokFact({ ...plain, admittedAt: '2026-11-18T11:00:00.000Z' }),
    aByokFact({ ...plain, freeNanoUsd: 1_000n, feeNanoUsd: 0n }),
    aByokFact({ ...plain, estimated: true }),
    aFact({ ...plain, costNanoUsd: 0n, responseCacheSourceId: 'gen-0' }),
    aFailure(),
    search,
    aToolFact({ provider: 'tavily', isByok: true, credentialId: 'c-1' }),
    ...Object.values(estimates),
  );
  await until(async () => (await count('usage_facts')) === 16);
  const correct = ({ usageId }: { usageId: string }, more: object) =>
    client.correctUsage({
      accountId: 'acct_1',
      usageId,
      ...served,
      outputTokens: 90n,
      isFree: false,
      ...more,
    });
  await correct(estimates.receipt, {});
  await correct(estimates.absorbed, { outputTokens: 200n });
  await correct(estimates.unserved, {
    inputTokens: 0n,
    cachedTokens: 0n,
    outputTokens: 0n,
    isFree: true,
  });
  const { usageId } = estimates.amount;
  const told = { ...served, usageId, outputTokens: 90n, isFree: false, costNanoUsd: 777n };
  await database.transaction((transaction) => correctUsage(transaction, [told], 'receipt'));
  const rerated = (
    factor: bigint,
    {
      by = [],
      from = '2026-11-01',
      ...more
    }: { by?: readonly RerateDimension[]; from?: string; to?: Date; accountId?: string } = {},
  ) =>
    rerate({
      postgresUrl: inject('postgresUrl'),
      schema: database.schema,
      from: new Date(from),
      by,
      prices: bookAt(factor),
      terms,
      ...more,
    });
  return { ...fixture, rerated };
}

test('usage of every kind costs at the prices in force what was charged, which is GET /credits', async () => {
  const { rerated, client } = await everyKind();
  const rows = await rerated(1n, { by: ['workspace', 'model'] });
  for (const row of rows) {
    equal(row.reratedCreditsNanoUsd, row.creditsNanoUsd);
    equal(row.reratedByokNanoUsd, row.byokNanoUsd);
  }
  deepEqual(
    rows.map(({ accountId, workspaceId, model, facts }) => [accountId, workspaceId, model, facts]),
    [
      ['acct_1', 'ws_1', 'sim/small', 13n],
      ['acct_1', 'ws_3', 'other/model', 1n],
      ['acct_2', 'ws_2', 'sim/small', 1n],
    ],
  );
  const credits = await client.getCredits({ accountId: 'acct_1' });
  const [all] = await rerated(1n, { accountId: 'acct_1' });
  equal(all?.creditsNanoUsd, credits.totalUsageNanoUsd);
});

test('usage of every kind at double prices is billed by its own rule', async () => {
  const { rerated } = await everyKind();
  const [first, second, ...more] = await rerated(2n);
  equal(more.length, 0);
  deepEqual([second?.creditsNanoUsd, second?.reratedCreditsNanoUsd], [1_000n, 2_000n]);
  // All is doubled but the model that is not listed (1,000) and the amount of a receipt (777).
  const kept = 1_000n + 777n;
  const keptFee = 30n;
  const credits = (first?.creditsNanoUsd ?? 0n) - kept - keptFee - 30n;
  // The other fee is taken of 2,000, but for the 400 that the allowance covered.
  equal(first?.reratedCreditsNanoUsd, credits * 2n + kept + keptFee + 80n);
  deepEqual(first?.kept, {
    not_listed: 1n,
    tool_mode_unknown: 0n,
    receipt_amount: 1n,
    byok_estimate: 1n,
    older_rule: 0n,
  });
  // Three of four list prices of own keys are doubled, and the estimate of one is kept.
  deepEqual([first?.byokNanoUsd, first?.reratedByokNanoUsd], [4_000n, 7_000n]);
});

test('only facts of the range and the account are rated', async () => {
  const { rerated } = await everyKind();
  deepEqual(await rerated(2n, { from: '2026-11-19' }), []);
  deepEqual(await rerated(2n, { to: new Date('2026-11-18T11:00:00Z') }), []);
  deepEqual(
    (await rerated(2n, { accountId: 'acct_2' })).map(({ facts }) => facts),
    [1n],
  );
});

test('a discount is taken off at other prices, and rates of a private endpoint stay', async () => {
  const { client, database, publish, until, count } = await ledgerFixture();
  const discount = { dataDiscountNanoUsd: 10n, dataDiscountBasisPoints: 100n };
  const amounts = { costNanoUsd: 990n, upstreamCostNanoUsd: 1_000n, ...discount };
  const estimate = anEstimate(amounts);
  // The catalog has another price for the same model at the same provider.
  const own = aByokFact({ ...plain, costNanoUsd: 500n, freeNanoUsd: 500n, feeNanoUsd: 0n });
  const prices = { inputTokenAttoUsd: '5000000000', outputTokenAttoUsd: '10000000000' };
  await publish(aDiscountedFact(plain), estimate, { ...own, prices });
  await until(async () => (await count('usage_facts')) === 3);
  const { accountId, usageId } = estimate;
  await client.correctUsage({ accountId, usageId, ...served, outputTokens: 90n, isFree: false });
  // 10 × 10 + 2 × 5 + 90 × 20 = 1,910.
  const [before] = await rateAt(1n, database.schema);
  deepEqual(
    [before?.creditsNanoUsd, before?.reratedCreditsNanoUsd, before?.reratedByokNanoUsd],
    [990n + 1_890n, 990n + 1_890n, 500n],
  );
  const [after] = await rateAt(2n, database.schema);
  // 3,820 less 39.
  deepEqual([after?.reratedCreditsNanoUsd, after?.reratedByokNanoUsd], [1_980n + 3_781n, 500n]);
});
