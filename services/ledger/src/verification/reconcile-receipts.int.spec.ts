import { deepEqual, equal, rejects } from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, inject, test } from 'vitest';
import { aByokFact, aFact } from '@sluice/usage-facts/testing';
import { ledgerFixture } from '../testing/ledger-fixture.ts';
import type { ProviderReceipt, ReceiptScope } from './receipt.ts';
import { reconcileReceipts } from './reconcile-receipts.ts';

const receiptOf = (id: string, changes: Partial<ProviderReceipt> = {}): ProviderReceipt => {
  return { id, inputTokens: 10n, outputTokens: 20n, cachedTokens: 4n, ...changes };
};

async function ledgerOf(...facts: readonly ReturnType<typeof aFact>[]) {
  const { database, publish, until, count } = await ledgerFixture();
  await publish(...facts);
  await until(async () => (await count('usage_facts')) === facts.length);
  return async (receipts: readonly ProviderReceipt[], scope: ReceiptScope = {}) => {
    const { schema } = database;
    const postgresUrl = inject('postgresUrl');
    const given = Readable.from(receipts);
    return reconcileReceipts({ postgresUrl, schema, ...scope, receipts: given, differencesMax: 2 });
  };
}

const none = {
  missing_row: 0n,
  missing_receipt: 0n,
  tokens: 0n,
  cost: 0n,
  counted_twice: 0n,
  repeated_receipt: 0n,
};

describe('receipts and rows', () => {
  test('that say the same are no difference', async () => {
    const nothing = { inputTokens: 0n, outputTokens: 0n, cachedTokens: 0n };
    const reconcile = await ledgerOf(
      aFact({ upstreamId: 'a' }),
      aFact({ upstreamId: 'b' }),
      aFact({ upstreamId: '', ...nothing, reasoningTokens: 0n, costNanoUsd: 0n }),
    );
    const given = [receiptOf('a'), receiptOf('b', { cachedTokens: undefined })];
    const result = await reconcile([...given, receiptOf('failed', nothing)]);
    deepEqual(result, {
      receipts: 3n,
      matched: 2n,
      nothingServed: 1n,
      nothingBilled: 1n,
      counts: none,
      applied: undefined,
      differences: [],
    });
  });

  test('are not looked for where the credential was of the customer, and compared where they are given', async () => {
    const reconcile = await ledgerOf(
      aByokFact({ upstreamId: 'a' }),
      aByokFact({ upstreamId: 'b' }),
      aByokFact({ upstreamId: 'c' }),
    );
    const { matched, counts } = await reconcile([
      receiptOf('b'),
      receiptOf('c', { outputTokens: 21n }),
    ]);
    equal(matched, 1n);
    deepEqual(counts, { ...none, tokens: 1n });
  });

  test('are compared both ways, each difference with both sides', async () => {
    const reconcile = await ledgerOf(
      aFact({ upstreamId: 'billed-only' }),
      aFact({ upstreamId: '', usageId: 'gen-x/1/1' }),
      aFact({ upstreamId: 'other', usageId: 'gen-y/1/1', estimated: true }),
      aFact({ upstreamId: 'twice' }),
      aFact({ upstreamId: 'twice' }),
      aFact({ upstreamId: 'repeated' }),
      aFact({ upstreamId: 'cached' }),
    );
    const { matched, counts, differences } = await reconcile([
      receiptOf('served-only'),
      receiptOf('other', { outputTokens: 21n }),
      receiptOf('twice'),
      receiptOf('repeated'),
      receiptOf('repeated'),
      receiptOf('cached', { cachedTokens: 3n }),
    ]);
    equal(matched, 0n);
    deepEqual(counts, {
      missing_row: 1n,
      missing_receipt: 2n,
      cost: 0n,
      tokens: 2n,
      counted_twice: 1n,
      repeated_receipt: 1n,
    });
    deepEqual(
      differences.map(({ kind, id, receipt, row }) => [
        kind,
        id,
        receipt !== null,
        row !== null && (JSON.parse(row) as { estimated: boolean }).estimated,
      ]),
      [
        ['counted_twice', 'twice', true, false],
        ['missing_receipt', 'billed-only', false, false],
        ['missing_receipt', 'gen-x/1/1', false, false],
        ['missing_row', 'served-only', true, false],
        ['repeated_receipt', 'repeated', true, false],
        ['tokens', 'cached', true, false],
        ['tokens', 'other', true, true],
      ],
    );
  });

  test('may be of one provider and of some days', async () => {
    const reconcile = await ledgerOf(
      aFact({ upstreamId: 'a' }),
      aFact({ upstreamId: 'b', provider: 'other' }),
      aFact({ upstreamId: 'late', admittedAt: '2026-11-19T00:00:00.000Z' }),
    );
    const to = new Date('2026-11-19T00:00:00.000Z');
    deepEqual((await reconcile([receiptOf('a')], { provider: 'sim', to })).counts, none);
    const all = await reconcile([receiptOf('a'), receiptOf('late')], { provider: 'sim', to });
    deepEqual([all.matched, all.counts], [2n, none]);
    equal((await reconcile([receiptOf('a')])).counts.missing_receipt, 2n);
  });

  test('are listed up to a bound, and all are counted', async () => {
    const reconcile = await ledgerOf();
    const many = Array.from({ length: 2_500 }, (_, number) => receiptOf(`r-${number}`));
    const { receipts, counts, differences } = await reconcile(many);
    deepEqual([receipts, counts.missing_row, differences.length], [2_500n, 2_500n, 2]);
  });

  test('give no result when the receipts end in an error', async () => {
    const { database } = await ledgerFixture();
    const broken = async function* () {
      yield receiptOf('a');
      throw new Error('line 2');
    };
    const options = { postgresUrl: inject('postgresUrl'), schema: database.schema };
    await rejects(reconcileReceipts({ ...options, receipts: broken() }), { message: 'line 2' });
  });
});
