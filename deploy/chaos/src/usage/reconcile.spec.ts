import { deepEqual, equal, match } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { receiptNanoUsd, type Receipt, reconcile, type UsageRow } from './reconcile.ts';

const receipt = (more: Partial<Receipt> = {}): Receipt => ({
  id: 'resp_1',
  model: 'chaos-1',
  input_tokens: 10,
  cached_tokens: 0,
  output_tokens: 5,
  ...more,
});
const row = (more: Partial<UsageRow> = {}): UsageRow => ({
  usageId: 'gen-1/1/1',
  upstreamId: 'resp_1',
  model: 'chaos-1',
  costNanoUsd: 20_000n,
  outcome: 'completed',
  isEstimated: false,
  ...more,
});
const cutOff = { upstreamId: '', outcome: 'interrupted', isEstimated: true } as const;

describe('receipts and rows', () => {
  test('a receipt has its price by the published prices', () => {
    equal(receiptNanoUsd(receipt({ cached_tokens: 4 })), 18_000n);
  });

  test('one row at the price of its receipt is right', () => {
    const { findings, lost, double, billedNanoUsd } = reconcile([receipt()], [row()]);
    deepEqual([findings, lost, double, billedNanoUsd], [[], 0, 0, 20_000n]);
  });

  test('a receipt without a row is lost', () => {
    const { lost, findings } = reconcile([receipt(), receipt({ id: 'resp_2' })], [row()]);
    equal(lost, 1);
    match(String(findings), /resp_2 .* has no row/);
  });

  test('two rows of one receipt are double', () => {
    const { double, findings } = reconcile([receipt()], [row(), row({ usageId: 'gen-2/1/1' })]);
    equal(double, 1);
    match(String(findings), /is in gen-1\/1\/1 and in gen-2\/1\/1/);
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

describe('what a kill cut off', () => {
  test('may be billed in part, and the rest is told', () => {
    const rows = [row({ ...cutOff, costNanoUsd: 12_000n })];
    const { findings, interrupted, interruptedNanoUsd, lost } = reconcile([receipt()], rows);
    deepEqual([findings, interrupted, interruptedNanoUsd, lost], [[], 1, 8_000n, 0]);
  });

  test('is never billed more than its receipt', () => {
    const rows = [row({ ...cutOff, costNanoUsd: 20_001n })];
    match(String(reconcile([receipt()], rows).findings), /billed 20001 where/);
  });

  test('is flagged as an estimate, or does not count as cut off', () => {
    equal(reconcile([receipt()], [row({ ...cutOff, isEstimated: false })]).lost, 1);
    equal(reconcile([receipt()], [row({ ...cutOff, outcome: 'completed' })]).lost, 1);
  });

  test('is of the same model', () => {
    equal(reconcile([receipt()], [row({ ...cutOff, model: 'chaos-2' })]).lost, 1);
  });

  test('stands for one receipt only', () => {
    const rows = [row({ ...cutOff, costNanoUsd: 0n })];
    equal(reconcile([receipt(), receipt({ id: 'resp_2' })], rows).lost, 1);
  });

  test('before the provider served anything is told, at no cost', () => {
    const rows = [row(), row({ ...cutOff, model: 'chaos-2', costNanoUsd: 0n })];
    const { findings, unserved } = reconcile([receipt()], rows);
    deepEqual([findings, unserved], [[], 1]);
  });
});
