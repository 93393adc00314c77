import { deepEqual, equal, match } from 'node:assert/strict';
import { describe, test } from 'vitest';
import {
  type AnswerReceipt,
  receiptNanoUsd,
  reconcile,
  type SearchReceipt,
  type UsageRow,
} from './reconcile.ts';

const receipt = (more: Partial<AnswerReceipt> = {}): AnswerReceipt => ({
  id: 'resp_1',
  client_request_id: 'gen-1/1/1',
  input_tokens: 10,
  cached_tokens: 0,
  output_tokens: 5,
  outcome: 'completed',
  ...more,
});
const row = (more: Partial<UsageRow> = {}): UsageRow => ({
  usageId: 'gen-1/1/1',
  upstreamId: 'resp_1',
  outcome: 'completed',
  costNanoUsd: 20_000n,
  upstreamCostNanoUsd: more.costNanoUsd ?? 20_000n,
  suspendedNanoUsd: undefined,
  ...more,
});
const cutOff = { upstreamId: '', outcome: 'interrupted', suspendedNanoUsd: 8_000n } as const;

describe('receipts and rows', () => {
  test('a receipt has its price by the published prices', () => {
    equal(receiptNanoUsd(receipt({ cached_tokens: 4 })), 18_000n);
  });

  test('one row at the price of its receipt is right', () => {
    const { findings, lost, double, billedNanoUsd } = reconcile([receipt()], [row()]);
    deepEqual([findings, lost, double, billedNanoUsd], [[], 0, 0, 20_000n]);
  });

  test('a receipt without a row is lost', () => {
    const other = receipt({ id: 'resp_2', client_request_id: 'gen-2/1/1' });
    const { lost, findings } = reconcile([receipt(), other], [row()]);
    equal(lost, 1);
    match(String(findings), /resp_2 .* has no row/);
  });

  test('a receipt without a row is unknown where a power cut may lose it', () => {
    const other = receipt({ id: 'resp_2', client_request_id: 'gen-2/1/1' });
    const mayBeUnknown = (usageId: string) => usageId === 'gen-2/1/1';
    const { lost, unknown, receiptNanoUsd, findings } = reconcile(
      [receipt(), other],
      [row()],
      mayBeUnknown,
    );
    deepEqual([lost, unknown, receiptNanoUsd, findings], [0, 1, 20_000n, []]);
    const rows = [row(), row({ usageId: 'gen-2/1/1', upstreamId: 'resp_2', costNanoUsd: 1n })];
    match(String(reconcile([receipt(), other], rows, mayBeUnknown).findings), /gen-2/);
  });

  test('two rows of one receipt are double, and two receipts of one row', () => {
    const { double, findings } = reconcile([receipt()], [row(), row({ usageId: 'gen-2/1/1' })]);
    equal(double, 1);
    match(String(findings), /is in gen-1\/1\/1 and in gen-2\/1\/1/);
    equal(reconcile([receipt(), receipt({ id: 'resp_2' })], [row()]).double, 1);
  });

  test.each([19_999n, 20_001n])(
    'another price than the receipt, %s, is a finding',
    (costNanoUsd) => {
      match(String(reconcile([receipt()], [row({ costNanoUsd })]).findings), /where resp_1 says/);
    },
  );

  test('a row that costs something has a receipt', () => {
    match(String(reconcile([], [row()]).findings), /without a receipt/);
    match(String(reconcile([], [row(cutOff)]).findings), /without a receipt/);
  });
});

describe('a search', () => {
  const search = (more: Partial<SearchReceipt> = {}): SearchReceipt => ({
    id: 'exa1',
    client_request_id: 'gen-1/tool/1',
    engine: 'exa',
    results: 5,
    ...more,
  });
  const call = { usageId: 'gen-1/tool/1', upstreamId: 'exa1' } as const;

  test('a page that an engine reads has its price', () => {
    equal(receiptNanoUsd(search({ engine: 'mistral-ocr', results: 3 })), 6_000_000n);
  });

  test('has its price by the published prices', () => {
    equal(receiptNanoUsd(search()), 7_000_000n);
    equal(receiptNanoUsd(search({ results: 12 })), 9_000_000n);
  });

  test('has one row at its price, beside that of the turn', () => {
    const rows = [row(), row({ ...call, costNanoUsd: 7_000_000n })];
    const { findings, billedNanoUsd } = reconcile([receipt(), search()], rows);
    deepEqual([findings, billedNanoUsd], [[], 7_020_000n]);
    match(String(reconcile([search()], [row(call)]).findings), /where exa1 says 7000000/);
    equal(reconcile([search()], []).lost, 1);
  });

  test('that a crash cut off may cost all of its hold', () => {
    const cut = { ...call, ...cutOff, costNanoUsd: 0n, suspendedNanoUsd: 22_000_000n };
    const { findings, open } = reconcile([search()], [row(cut)]);
    deepEqual([findings, open], [[], 1]);
  });
});

describe('an estimate that is open', () => {
  test('may be billed in part, while the rest is in suspense', () => {
    const rows = [row({ ...cutOff, costNanoUsd: 12_000n })];
    const { findings, open, openNanoUsd, lost } = reconcile([receipt()], rows);
    deepEqual([findings, open, openNanoUsd, lost], [[], 1, 8_000n, 0]);
  });

  test('is never billed more than its receipt', () => {
    const rows = [row({ ...cutOff, costNanoUsd: 20_001n })];
    match(String(reconcile([receipt()], rows).findings), /counted 20001 where/);
  });

  test('is wrong when billed amount and suspense are less than its receipt', () => {
    const rows = [row({ ...cutOff, costNanoUsd: 11_999n })];
    match(String(reconcile([receipt()], rows).findings), /counted 11999 where/);
  });

  test('without a receipt is counted as unserved, at no cost', () => {
    const rows = [row(), row({ ...cutOff, usageId: 'gen-2/1/1', costNanoUsd: 0n })];
    const { findings, unserved } = reconcile([receipt()], rows);
    deepEqual([findings, unserved], [[], 1]);
  });
});

describe('an attempt that failed', () => {
  const failed = { outcome: 'failed', costNanoUsd: 0n, upstreamCostNanoUsd: 20_000n } as const;
  const cut = receipt({ outcome: 'cut' });

  test('costs the operator the price of its receipt, and the customer nothing', () => {
    const { findings, customersNanoUsd, billedNanoUsd } = reconcile([cut], [row(failed)]);
    deepEqual([findings, customersNanoUsd, billedNanoUsd], [[], 0n, 20_000n]);
  });

  test('is wrong when the customer pays for it', () => {
    const { findings } = reconcile([cut], [row({ ...failed, costNanoUsd: 1n })]);
    match(String(findings), /failed and costs the customer 1/);
  });

  test('needs a row when it has a price, and none when the provider gave it up', () => {
    equal(reconcile([cut], []).lost, 1);
    const { findings, unpriced } = reconcile([receipt({ outcome: 'failed' })], []);
    deepEqual([findings, unpriced], [[], 1]);
  });

  test('is the only one whose customer pays less than the provider charges', () => {
    const { findings } = reconcile([receipt()], [row({ ...failed, outcome: 'completed' })]);
    match(String(findings), /was served and costs the customer 0 of 20000/);
  });
});
