import { deepEqual, equal, rejects } from 'node:assert/strict';
import { describe, inject, test } from 'vitest';
import { aFact } from '@sluice/usage-facts/testing';
import { lease, leaseFixture } from '../testing/lease-fixture.ts';
import { closeReplica } from './close-replica.ts';

const day = '2026-11-18';

/** A replica with 60 of 100 on lease, of which 10 are counted, that was silent for long. */
async function withSilent() {
  const ledger = await leaseFixture(100n);
  const { one, publish, until, count, client, database } = ledger;
  await one('lost', lease(1n, 60n));
  await publish(
    aFact({ replica: 'lost', leaseEpoch: 1n, leaseNumbers: [1n], sequence: 1n, costNanoUsd: 10n }),
  );
  await until(async () => (await count('usage_facts')) === 1);
  await client.reportAdmissions({
    replica: 'lost',
    epoch: 1n,
    afterSpoolSequence: 0n,
    toSpoolSequence: 9n,
    settledSequence: 2n,
    totals: [{ accountId: 'acct_1', day, admitted: 4n, settled: 2n, released: 1n }],
    open: [
      { usageId: 'o', accountId: 'acct_1', admittedAt: `${day}T12:00:00.000Z`, holdNanoUsd: 7n },
    ],
  });
  const run = (text: string) => database.query({ text, values: [] });
  const close = (isFreed: boolean, isConfirmed: boolean, replica = 'lost') =>
    closeReplica({
      postgresUrl: inject('postgresUrl'),
      schema: database.schema,
      replica,
      isFreed,
      isConfirmed,
    });
  const days = { accountId: 'acct_1', fromDay: day, toDay: day };
  return {
    ...ledger,
    close,
    silence: () => run(`UPDATE replicas SET heard_at = now() - interval '1 hour'`),
    leased: async () => (await one('other', lease(1n, 0n))).leasedNanoUsd,
    sums: async () => {
      const proof = await client.getConservationProof(days);
      return [proof.admitted, proof.settled, proof.underWay, proof.released, proof.open];
    },
  };
}

describe('a replica whose disk is lost', () => {
  test('is fenced, and what its leases have left stays counted until it is freed', async () => {
    const { close, silence, leased, acquire, sums, one } = await withSilent();
    await silence();
    const figures = { type: 'closed', leases: 1n, leasedNanoUsd: 50n, openAttempts: 1n };
    deepEqual(await close(false, false), figures);
    deepEqual(await close(false, true), figures);
    equal(await leased(), 50n);
    await rejects(acquire('lost', lease(1n, 1n)), { code: 'conflict' });
    await rejects(acquire('lost@2', lease(1n, 1n)), { code: 'conflict' });
    deepEqual(await sums(), [4n, 1n, 1n, 1n, 1n]);
    await close(true, true);
    equal(await leased(), 0n);
    deepEqual(await sums(), [4n, 1n, 0n, 3n, 0n]);
    equal((await one('other', lease(2n, 90n))).grantedNanoUsd, 90n);
    deepEqual(await close(true, true), {
      ...figures,
      leases: 0n,
      leasedNanoUsd: 0n,
      openAttempts: 0n,
    });
  });

  test('has what still comes of it counted', async () => {
    const { close, silence, publish, until, count, keyUsage } = await withSilent();
    await silence();
    await close(true, true);
    await publish(aFact({ replica: 'lost', sequence: 2n, costNanoUsd: 5n }));
    await until(async () => (await count('usage_facts')) === 2);
    equal((await keyUsage())?.credits?.dailyNanoUsd, 15n);
  });

  test('is not closed while it lives, or when nobody knows it', async () => {
    const { close, acquire } = await withSilent();
    equal((await close(true, true)).type, 'alive');
    await acquire('lost', lease(1n, 1n, { grantedNanoUsd: 60n }));
    deepEqual(await close(true, true, 'nobody'), { type: 'unknown' });
  });
});
