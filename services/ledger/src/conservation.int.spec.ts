import { deepEqual, equal, rejects } from 'node:assert/strict';
import { describe, test } from 'vitest';
import type { ReportAdmissionsRequest } from '@sluice/protos/sluice/ledger/v1/ledger';
import { aFact, anEstimate } from '@sluice/usage-facts/testing';
import { ledgerFixture } from './testing/ledger-fixture.ts';

const day = '2026-11-18';
const totals = (admitted: bigint, settled = 0n, released = 0n, accountId = 'acct_1') => ({
  accountId,
  day,
  admitted,
  settled,
  released,
});
const open = (usageId: string, accountId = 'acct_1') => ({
  usageId,
  accountId,
  admittedAt: '2026-11-18T12:00:00.000Z',
  holdNanoUsd: 7n,
});

async function fixture() {
  const ledger = await ledgerFixture();
  const report = async (
    afterSpoolSequence: bigint,
    toSpoolSequence: bigint,
    more: Partial<ReportAdmissionsRequest> = {},
  ) =>
    (
      await ledger.client.reportAdmissions({
        replica: 'routing-0',
        epoch: 1n,
        afterSpoolSequence,
        toSpoolSequence,
        settledSequence: 0n,
        totals: [],
        open: [],
        ...more,
      })
    ).spoolSequence;
  return {
    ...ledger,
    report,
    proof: async (accountId = 'acct_1', fromDay = '0001-01-01', toDay = '9999-12-31') => {
      const answer = await ledger.client.getConservationProof({ accountId, fromDay, toDay });
      const { admitted, settled, underWay, released } = answer;
      const sums = [admitted, settled, underWay, released, answer.open];
      return { ...answer, sums, ids: answer.openAttempts.map(({ usageId }) => usageId) };
    },
    counted: (facts: number) =>
      ledger.until(async () => (await ledger.count('usage_facts')) === facts),
  };
}

describe('what a replica reports', () => {
  test('is taken once, stretch by stretch', async () => {
    const { report, proof } = await fixture();
    equal(await report(0n, 0n), 0n);
    const first = { totals: [totals(3n, 1n, 1n)], open: [open('a')] };
    equal(await report(0n, 10n, first), 10n);
    equal(await report(0n, 10n, first), 10n);
    equal(await report(5n, 12n, first), 10n);
    equal(await report(10n, 12n, { totals: [totals(1n)], open: [open('a'), open('b')] }), 12n);
    deepEqual((await proof()).sums, [4n, 0n, 1n, 1n, 2n]);
  });

  test('of an epoch that has ended is refused, and so is what cannot be true', async () => {
    const { report } = await fixture();
    await report(0n, 5n, { epoch: 2n });
    await rejects(report(5n, 6n), { code: 'conflict' });
    for (const wrong of [
      { replica: 'a b' },
      { epoch: 0n },
      { totals: [totals(-1n)] },
      { totals: [totals(1n), totals(1n)] },
      { totals: [{ ...totals(1n), day: '2026-02-30' }] },
      { open: [open('a'), open('a')] },
      { open: [{ ...open('a'), holdNanoUsd: -1n }] },
      { open: [{ ...open('a'), admittedAt: 'now' }] },
    ])
      await rejects(report(5n, 6n, { epoch: 2n, ...wrong }), { code: 'invalid_request' });
  });
});

describe('the proof of conservation', () => {
  test('knows of each attempt that it was settled, is under way, was released or is open', async () => {
    const { report, proof, publish, counted } = await fixture();
    await publish(aFact({ sequence: 1n, costNanoUsd: 5n }));
    await counted(1);
    const settledSequence = 2n;
    await report(0n, 9n, { settledSequence, totals: [totals(4n, 2n, 1n)], open: [open('o')] });
    const { sums, ids, settledNanoUsd, openHoldNanoUsd } = await proof();
    deepEqual([sums, ids], [[4n, 1n, 1n, 1n, 1n], ['o']]);
    deepEqual([settledNanoUsd, openHoldNanoUsd], [5n, 7n]);
  });

  test('adds up when facts are counted before they are reported, also of what was open', async () => {
    const { report, proof, publish, counted } = await fixture();
    await report(0n, 2n, { totals: [totals(2n)], open: [open('gen-o/1/1'), open('other')] });
    await publish(
      aFact({ usageId: 'gen-o/1/1', sequence: 1n }),
      aFact({ usageId: 'gen-new/1/1', sequence: 2n }),
    );
    await counted(2);
    const { sums, ids, openHoldNanoUsd } = await proof();
    deepEqual([sums, ids, openHoldNanoUsd], [[3n, 2n, 0n, 0n, 1n], ['other'], 7n]);
    await report(2n, 5n, {
      settledSequence: 2n,
      totals: [totals(1n, 2n)],
      open: [open('other')],
    });
    deepEqual((await proof()).sums, [3n, 2n, 0n, 0n, 1n]);
  });

  test('adds up across a crash, whose attempts are settled by the next epoch', async () => {
    const { report, proof, publish, counted } = await fixture();
    await report(0n, 2n, { totals: [totals(2n)], open: [open('gen-a/1/1'), open('gen-b/1/1')] });
    await publish(anEstimate({ usageId: 'gen-a/1/1', epoch: 2n, sequence: 1n }));
    await counted(1);
    const { sums, suspended, suspendedNanoUsd, suspendedUsageIds } = await proof();
    deepEqual(sums, [2n, 1n, 0n, 0n, 1n]);
    deepEqual([suspended, suspendedNanoUsd, suspendedUsageIds], [1n, 9_000n, ['gen-a/1/1']]);
    const second = { epoch: 2n, settledSequence: 2n, totals: [totals(0n, 2n)] };
    await report(2n, 4n, second);
    deepEqual((await proof()).sums, [2n, 1n, 1n, 0n, 0n]);
  });

  test('shows a fact that was written down and got lost', async () => {
    const { report, proof, publish, counted } = await fixture();
    await publish(aFact({ sequence: 2n }));
    await counted(1);
    await report(0n, 4n, { settledSequence: 2n, totals: [totals(2n, 2n)] });
    deepEqual((await proof()).sums, [2n, 1n, 1n, 0n, 0n]);
  });

  test('is of one account and of some days', async () => {
    const { report, proof, publish, counted } = await fixture();
    await publish(
      aFact({ sequence: 1n, admittedAt: '2026-11-18T23:59:59.999Z' }),
      aFact({ sequence: 2n, admittedAt: '2026-11-19T00:00:00.000Z' }),
      aFact({ sequence: 3n, accountId: 'acct_2' }),
    );
    await counted(3);
    const other = { ...totals(1n, 1n), day: '2026-11-19' };
    await report(0n, 6n, {
      settledSequence: 3n,
      totals: [totals(1n, 1n), other, totals(2n, 1n, 0n, 'acct_2')],
      open: [open('o', 'acct_2')],
    });
    deepEqual((await proof()).sums, [2n, 2n, 0n, 0n, 0n]);
    deepEqual((await proof('acct_1', '2026-11-19', '2026-11-19')).sums, [1n, 1n, 0n, 0n, 0n]);
    deepEqual((await proof('acct_2')).sums, [2n, 1n, 0n, 0n, 1n]);
    deepEqual((await proof('acct_3')).sums, [0n, 0n, 0n, 0n, 0n]);
  });

  test('is refused for what are no days', async () => {
    const { proof } = await fixture();
    await rejects(proof('acct_1', '2026-02-30', '2026-03-01'), { code: 'invalid_request' });
    await rejects(proof('acct_1', '2026-03-02', '2026-03-01'), { code: 'invalid_request' });
  });
});
