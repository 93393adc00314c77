import { deepEqual, equal } from 'node:assert/strict';
import { Readable } from 'node:stream';
import type { UsageFact } from '@sluice/usage-facts';
import { describe, inject, test } from 'vitest';
import { writeOffSuspense } from '../administration/write-off-suspense.ts';
import { aFact, anEstimate } from '@sluice/usage-facts/testing';
import { ledgerFixture } from '../testing/ledger-fixture.ts';
import type { ProviderReceipt, ReceiptScope } from './receipt.ts';
import { reconcileReceipts } from './reconcile-receipts.ts';
import { verifyLedger } from './verify-ledger.ts';

/** At the prices of estimates 10 × 10 + 100 × 20. */
const servedNanoUsd = 2_100n;
const receipt = (id: string, changes: Partial<ProviderReceipt> = {}): ProviderReceipt => {
  return { id, inputTokens: 10n, outputTokens: 100n, cachedTokens: 0n, ...changes };
};

async function ledgerOf(...facts: readonly UsageFact[]) {
  const ledger = await ledgerFixture();
  const { database, publish, until, count } = ledger;
  await publish(...facts);
  await until(async () => (await count('usage_facts')) === facts.length);
  const of = { postgresUrl: inject('postgresUrl'), schema: database.schema };
  return {
    ...ledger,
    apply: async (
      receipts: readonly ProviderReceipt[],
      scope: ReceiptScope & { isComplete?: boolean } = {},
    ) => {
      const apply = { isComplete: scope.isComplete ?? false };
      return await reconcileReceipts({ ...of, ...scope, apply, receipts: Readable.from(receipts) });
    },
    writeOff: (before: Date, isConfirmed: boolean) =>
      writeOffSuspense({ ...of, before, isConfirmed }),
    rows: () =>
      database.query<{ id: string; cost: bigint; estimated: boolean }>({
        text: `SELECT upstream_id AS id, cost_nano_usd AS cost, estimated FROM usage_facts
               ORDER BY usage_id`,
        values: [],
      }),
    differing: async () =>
      (await verifyLedger(of)).results
        .filter(({ differing }) => differing > 0n)
        .map(({ check }) => check),
  };
}

describe('receipts that are applied', () => {
  test('correct estimates by the name of the answer, and by that of the attempt where it is lost', async () => {
    const { apply, rows, differing, count } = await ledgerOf(
      anEstimate({ usageId: 'gen-a/1/1', upstreamId: 'a' }),
      anEstimate({ usageId: 'gen-b/1/1', upstreamId: '' }),
      anEstimate({ usageId: 'gen-c/1/1', upstreamId: 'c' }),
      aFact({ usageId: 'gen-d/1/1', upstreamId: 'd' }),
    );
    const { applied, counts, matched } = await apply([
      receipt('a'),
      receipt('b', { attemptId: 'gen-b/1/1' }),
      receipt('d', { outputTokens: 21n, cachedTokens: 4n }),
    ]);
    deepEqual(applied, {
      corrected: 2n,
      unserved: 0n,
      chargedNanoUsd: 2n * (servedNanoUsd - 1_000n),
      releasedNanoUsd: 18_000n,
      absorbedNanoUsd: 0n,
    });
    deepEqual(
      (await rows()).map(({ id, cost, estimated }) => [id, cost, estimated]),
      [
        ['a', servedNanoUsd, false],
        ['b', servedNanoUsd, false],
        ['c', 1_000n, true],
        ['d', 1_000n, false],
      ],
    );
    // A count of the provider itself is never changed: a person has to look at the difference.
    deepEqual([matched, counts.tokens, counts.missing_receipt], [2n, 1n, 1n]);
    equal(await count('corrections'), 2);
    deepEqual(await differing(), []);
  });

  test('change nothing a second time', async () => {
    const { apply, count } = await ledgerOf(anEstimate({ upstreamId: 'a' }));
    await apply([receipt('a')]);
    equal((await apply([receipt('a', { outputTokens: 7n })])).applied?.corrected, 0n);
    equal(await count('corrections'), 1);
  });

  test('that contradict each other or themselves are left to people', async () => {
    const { apply, count } = await ledgerOf(
      anEstimate({ upstreamId: 'twice' }),
      anEstimate({ upstreamId: 'absurd' }),
    );
    const { counts } = await apply([
      receipt('twice'),
      receipt('twice', { outputTokens: 7n }),
      receipt('absurd', { cachedTokens: 11n }),
    ]);
    equal(await count('corrections'), 0);
    equal(counts.repeated_receipt, 1n);
  });

  test('and are all there are say what was never served', async () => {
    const unseen = { outputTokens: 0n, costNanoUsd: 0n, suspendedNanoUsd: 10_000n };
    const { apply, differing, count } = await ledgerOf(
      anEstimate({ ...unseen, upstreamId: '' }),
      anEstimate({ ...unseen, upstreamId: '', admittedAt: '2026-11-17T00:00:00.000Z' }),
      anEstimate({ upstreamId: 'seen' }),
    );
    const other = receipt('other', { attemptId: 'gen-other/1/1' });
    const from = new Date('2026-11-18T00:00:00.000Z');
    equal((await apply([other], { from })).applied?.unserved, 0n);
    const nameless = await apply([receipt('x')], { from, isComplete: true });
    equal(nameless.applied?.unserved, 0n);
    const { applied } = await apply([other], { from, isComplete: true });
    deepEqual([applied?.unserved, applied?.releasedNanoUsd], [1n, 10_000n]);
    equal(await count('estimates WHERE corrected_at IS NULL'), 2);
    deepEqual(await differing(), []);
  });

  test('of one provider correct no other', async () => {
    const { apply } = await ledgerOf(anEstimate({ upstreamId: 'a', provider: 'other' }));
    equal((await apply([receipt('a')], { provider: 'sim' })).applied?.corrected, 0n);
  });
});

describe('a write-off', () => {
  const future = new Date('2999-01-01T00:00:00.000Z');

  test('frees what is in suspense, keeps what was charged, and is said before it is done', async () => {
    const { writeOff, rows, differing, count } = await ledgerOf(
      anEstimate({ claimedNanoUsd: 5n }),
      anEstimate(),
      anEstimate({ estimateReason: 'no_usage', suspendedNanoUsd: 0n }),
    );
    const both = { estimates: 2n, suspendedNanoUsd: 18_000n, claimedNanoUsd: 5n };
    deepEqual(await writeOff(future, false), both);
    equal(await count('corrections'), 0);
    deepEqual(await writeOff(future, true), both);
    equal(await count('suspended WHERE credits_nano_usd > 0'), 0);
    deepEqual(
      (await rows()).map(({ cost, estimated }) => [cost, estimated]),
      Array.from({ length: 3 }, () => [1_000n, true]),
    );
    deepEqual((await writeOff(future, true)).estimates, 0n);
    deepEqual(await differing(), []);
  });

  test('passes over what is younger', async () => {
    const { writeOff } = await ledgerOf(anEstimate());
    equal((await writeOff(new Date('2020-01-01T00:00:00.000Z'), true)).estimates, 0n);
  });
});
