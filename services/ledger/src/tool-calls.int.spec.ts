import { deepEqual, equal, rejects } from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, inject, test } from 'vitest';
import { type CountedFact, readCountedFacts } from '@sluice/usage-facts';
import { aFact, aToolFact } from '@sluice/usage-facts/testing';
import { ledgerFixture, windows } from './testing/ledger-fixture.ts';
import { reconcileReceipts } from './verification/reconcile-receipts.ts';
import { verifyLedger } from './verification/verify-ledger.ts';

const accountId = 'acct_1';
const generationId = 'gen-t';

/** A crash cut the search off. */
const interrupted = {
  outcome: 'interrupted',
  finishReason: '',
  estimated: true,
  upstreamId: '',
  costNanoUsd: 0n,
  suspendedNanoUsd: 3_000n,
  estimateReason: 'interrupted',
  prices: { requestAttoUsd: '3000000000000' },
} as const;

/** Two turns and the tools between them. */
async function aLoop(...tools: readonly Parameters<typeof aToolFact>[0][]) {
  const ledger = await ledgerFixture();
  await ledger.publishCredit('c-1', 'purchase', 50_000n);
  const facts = [
    aFact({ usageId: `${generationId}/1/1`, generationId, finishReason: 'tool-calls' }),
    ...tools.map((changes, index) =>
      aToolFact({ usageId: `${generationId}/tool/${index + 1}`, generationId, ...changes }),
    ),
    aFact({ usageId: `${generationId}/1/2`, generationId }),
  ];
  await ledger.publish(...facts);
  await ledger.until(async () => (await ledger.count('usage_facts')) === facts.length);
  await ledger.until(async () => (await ledger.count('credits')) === 1);
  const { client, database } = ledger;
  const { schema } = database;
  const postgresUrl = inject('postgresUrl');
  return {
    ...ledger,
    generation: async () => (await client.getGeneration({ accountId, generationId })).generation,
    activity: async () => {
      const days = { fromDay: '2026-11-01', toDay: '2026-11-30', byWorkspace: false };
      const { rows } = await client.listActivity({ accountId, ...days, byApp: false, offset: 0 });
      return rows.map(({ model, provider, requests, creditsNanoUsd, byokNanoUsd }) => {
        return [model, provider, requests, creditsNanoUsd, byokNanoUsd];
      });
    },
    reconcile: (...receipts: readonly object[]) =>
      reconcileReceipts({
        postgresUrl,
        schema,
        provider: 'exa',
        receipts: Readable.from(receipts),
        apply: { isComplete: true },
      }),
    differing: async () => (await verifyLedger({ postgresUrl, schema })).differences,
  };
}

const receipt = (id: string, costNanoUsd: bigint, attemptId = '') => {
  return { id, inputTokens: 0n, outputTokens: 0n, cachedTokens: undefined, costNanoUsd, attemptId };
};

describe('calls of tools', () => {
  test('are in the sums of their generation, of the key, of the account and of the days', async () => {
    const { generation, activity, keyUsage, client, differing } = await aLoop({}, {});
    const found = await generation();
    deepEqual(
      [found?.costNanoUsd, found?.inputTokens, found?.model, found?.turns.length],
      [4_000n, 20n, 'sim/small', 2],
    );
    deepEqual(
      found?.toolCalls.map(({ number, toolType, engine, costNanoUsd, counts }) => {
        return [number, toolType, engine, costNanoUsd, { ...counts }];
      }),
      [1, 2].map((number) => {
        return [number, 'service:web_search', 'exa', 1_000n, { searches: 1n, searchResults: 5n }];
      }),
    );
    deepEqual((await keyUsage())?.credits, windows(4_000n));
    equal((await client.getCredits({ accountId })).totalUsageNanoUsd, 4_000n);
    // The model that asked for it has its cost. A call of a tool is no request.
    deepEqual(await activity(), [
      ['sim/small', 'exa', 0n, 2_000n, 0n],
      ['sim/small', 'sim', 1n, 2_000n, 0n],
    ]);
    deepEqual(await differing(), []);
  });

  test('with an own key of the engine cost no credits', async () => {
    const own = { isByok: true, credentialId: '0190a000-0000-7000-8000-0000000000aa' };
    const { generation, keyUsage, client, differing } = await aLoop(own);
    const { costNanoUsd, byokNanoUsd, feeNanoUsd } = (await generation()) ?? {};
    deepEqual([costNanoUsd, byokNanoUsd, feeNanoUsd], [3_000n, 1_000n, 0n]);
    const usage = await keyUsage();
    deepEqual([usage?.credits, usage?.byok], [windows(2_000n), windows(1_000n)]);
    equal((await client.getCredits({ accountId })).totalUsageNanoUsd, 2_000n);
    deepEqual(await differing(), []);
  });

  test('are in the log of facts with their type', async () => {
    const { client } = await aLoop({});
    const facts: CountedFact[] = [];
    for await (const page of readCountedFacts(client, { after: '', limit: 9 }))
      facts.push(...page.facts);
    deepEqual(
      facts.map((one) => one.kind === 'recorded' && [one.fact.apiType, one.fact.toolType]),
      [
        ['', ''],
        ['tool', 'service:web_search'],
        ['', ''],
      ],
    );
  });
});

describe('a call that a crash cut off', () => {
  test('is in suspense, and costs what the receipt of its engine says', async () => {
    const { generation, keyUsage, reconcile, differing, accountProof } = await aLoop(interrupted);
    equal((await generation())?.costNanoUsd, 2_000n);
    deepEqual(await accountProof(''), [2_000n, 3_000n]);
    const { applied, counts, matched } = await reconcile(
      receipt('search_9', 700n, `${generationId}/tool/1`),
    );
    deepEqual(
      [applied?.corrected, applied?.chargedNanoUsd, applied?.releasedNanoUsd],
      [1n, 700n, 3_000n],
    );
    deepEqual([matched, counts.cost, counts.missing_row], [1n, 0n, 0n]);
    equal((await generation())?.costNanoUsd, 2_700n);
    deepEqual((await keyUsage())?.credits, windows(2_700n));
    deepEqual(await accountProof(''), [2_700n, 0n]);
    deepEqual(await differing(), []);
  });

  test('is free where its engine has no receipt of it', async () => {
    const { reconcile, generation, differing } = await aLoop(interrupted, {});
    const { applied } = await reconcile(receipt('search_1', 1_000n, `${generationId}/tool/2`));
    deepEqual([applied?.unserved, applied?.releasedNanoUsd], [1n, 3_000n]);
    equal((await generation())?.costNanoUsd, 3_000n);
    deepEqual(await differing(), []);
  });

  test('costs no more than was held, and no negative amount', async () => {
    const { client, generation, differing } = await aLoop(interrupted);
    const truth = {
      accountId,
      usageId: `${generationId}/tool/1`,
      upstreamId: 'search_9',
      inputTokens: 0n,
      cachedTokens: 0n,
      outputTokens: 0n,
      reasoningTokens: 0n,
      isFree: false,
    };
    await rejects(client.correctUsage({ ...truth, costNanoUsd: -1n }), { code: 'invalid_request' });
    deepEqual(await client.correctUsage({ ...truth, costNanoUsd: 9_000n }), { isNew: true });
    equal((await generation())?.costNanoUsd, 5_000n);
    deepEqual(await differing(), []);
  });
});

describe('a receipt of an engine', () => {
  test('is compared by its amount', async () => {
    const { reconcile } = await aLoop({}, { upstreamId: 'search_2' });
    const { counts, matched, differences } = await reconcile(
      receipt('search_1', 1_000n),
      receipt('search_2', 1_001n),
      receipt('search_3', 5n),
    );
    deepEqual([matched, counts.cost, counts.missing_row], [1n, 1n, 1n]);
    deepEqual(
      differences.map(({ kind, id }) => [kind, id]),
      [
        ['cost', 'search_2'],
        ['missing_row', 'search_3'],
      ],
    );
  });
});
