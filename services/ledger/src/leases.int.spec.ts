import { deepEqual, equal, rejects } from 'node:assert/strict';
import type { LeaseRequest } from '@sluice/protos/sluice/ledger/v1/ledger';
import { describe, test } from 'vitest';
import { aByokFact, aFact } from '@sluice/usage-facts/testing';
import { credits, lease, leaseFixture } from './testing/lease-fixture.ts';

const keyDay = {
  ...credits,
  scopeKind: 'key',
  scopeId: 'key1',
  windowKind: 'daily',
  windowStart: '2026-11-18T00:00:00.000Z',
};

describe('a lease', () => {
  test('is granted as far as the limit goes, over all replicas', async () => {
    const { one } = await leaseFixture(100n);
    deepEqual(await one('a', lease(1n, 60n)), {
      number: 1n,
      grantedNanoUsd: 60n,
      countedNanoUsd: 0n,
      limitNanoUsd: 100n,
      settledNanoUsd: 0n,
      leasedNanoUsd: 60n,
    });
    equal((await one('b', lease(1n, 60n))).grantedNanoUsd, 40n);
    equal((await one('c', lease(1n, 1n))).grantedNanoUsd, 0n);
  });

  test('is there for nobody without credits', async () => {
    const { one } = await leaseFixture(0n);
    const answer = await one('a', lease(1n, 1n, { limitNanoUsd: 100n }));
    deepEqual([answer.grantedNanoUsd, answer.limitNanoUsd], [0n, 0n]);
  });

  test('shrinks with the number of replicas that live, down to what is needed', async () => {
    const { one, acquire } = await leaseFixture(1_000n);
    const wanting = { wantedNanoUsd: 900n, usualHoldNanoUsd: 10n };
    equal((await one('a', lease(1n, 5n, wanting))).grantedNanoUsd, 500n);
    const { replicas } = await acquire('b');
    equal(replicas, 2n);
    equal((await one('b', lease(1n, 5n, wanting))).grantedNanoUsd, 125n);
    equal((await one('c', lease(1n, 350n))).grantedNanoUsd, 350n);
    equal(
      (await one('b', lease(1n, 5n, { ...wanting, grantedNanoUsd: 125n }))).grantedNanoUsd,
      130n,
    );
  });

  test('that was granted and not received is not granted again', async () => {
    const { one } = await leaseFixture(100n);
    await one('a', lease(1n, 30n));
    equal((await one('a', lease(1n, 30n))).grantedNanoUsd, 30n);
    equal((await one('a', lease(1n, 40n))).grantedNanoUsd, 40n);
    equal((await one('a', lease(1n, 40n, { grantedNanoUsd: 40n }))).grantedNanoUsd, 80n);
  });

  test('that is given back can be had by another one, however often that is told', async () => {
    const { one } = await leaseFixture(100n);
    await one('a', lease(1n, 100n));
    const back = lease(1n, 0n, { grantedNanoUsd: 100n, returnedNanoUsd: 70n });
    equal((await one('a', back)).leasedNanoUsd, 30n);
    equal((await one('a', { ...back, returnedNanoUsd: 20n })).leasedNanoUsd, 30n);
    equal((await one('b', lease(1n, 100n))).grantedNanoUsd, 70n);
  });

  test('that is closed is not opened by a request that comes late', async () => {
    const { one, database } = await leaseFixture(100n);
    await one('a', lease(1n, 10n));
    await one('a', lease(1n, 0n, { grantedNanoUsd: 10n, returnedNanoUsd: 10n, close: true }));
    equal((await one('a', lease(1n, 30n))).leasedNanoUsd, 0n);
    await one('a', lease(2n, 0n, { budget: keyDay, close: true }));
    const late = await one('a', lease(2n, 30n, { budget: keyDay, limitNanoUsd: 50n }));
    equal(late.grantedNanoUsd, 0n);
    const rows = await database.query({ text: 'SELECT FROM leases', values: [] });
    equal(rows.length, 2);
  });
});

describe('an allowance', () => {
  const month = {
    ...credits,
    scopeKind: 'allowance',
    windowKind: 'monthly',
    windowStart: '2026-11-01T00:00:00.000Z',
  };
  const asked = { budget: month, limitNanoUsd: 1_000n, includeByok: true };

  test('is leased as far as it goes and taken by what is free, and credits pay the fee', async () => {
    const { acquire, publish, until, count, one } = await leaseFixture(100n);
    await acquire('routing-0', lease(1n, 50n), lease(2n, 900n, asked));
    await publish(aByokFact({ leaseEpoch: 1n, feeLeaseNumbers: [1n], allowanceLeaseNumber: 2n }));
    await until(async () => (await count('usage_facts')) === 1);
    const known = { needNanoUsd: 0n, wantedNanoUsd: 0n };
    const { leases } = await acquire(
      'routing-0',
      lease(1n, 0n, { ...known, grantedNanoUsd: 50n }),
      lease(2n, 0n, { ...asked, ...known, grantedNanoUsd: 900n }),
    );
    deepEqual(
      leases.map((each) => [each.countedNanoUsd, each.settledNanoUsd, each.leasedNanoUsd]),
      [
        [30n, 30n, 20n],
        [400n, 400n, 500n],
      ],
    );
    equal((await one('b', lease(1n, 900n, asked))).grantedNanoUsd, 100n);
  });
});

describe('usage', () => {
  test('takes its cost off the leases that paid it, once', async () => {
    const { acquire, publish, until, count } = await leaseFixture(100n);
    const requests = [lease(1n, 40n), lease(2n, 40n, { budget: keyDay, limitNanoUsd: 60n })];
    await acquire('routing-0', ...requests);
    const fact = aFact({ costNanoUsd: 25n, leaseEpoch: 1n, leaseNumbers: [1n, 2n] });
    await publish(fact, fact);
    await publish({ ...fact, epoch: 2n });
    await until(async () => (await count('usage_facts')) === 1);
    const known = requests.map((request) => ({
      ...request,
      grantedNanoUsd: 40n,
      needNanoUsd: 0n,
      wantedNanoUsd: 0n,
    }));
    const { leases } = await acquire('routing-0', ...known);
    deepEqual(
      leases.map((one) => [one.countedNanoUsd, one.settledNanoUsd, one.leasedNanoUsd]),
      [
        [25n, 25n, 15n],
        [25n, 25n, 15n],
      ],
    );
  });

  test('that no lease paid is settled and leaves the leases alone', async () => {
    const { one, publish, until, count } = await leaseFixture(100n);
    await one('routing-0', lease(1n, 40n));
    await publish(aFact({ costNanoUsd: 25n }));
    await until(async () => (await count('usage_facts')) === 1);
    const answer = await one('routing-0', lease(1n, 100n, { grantedNanoUsd: 40n }));
    deepEqual([answer.settledNanoUsd, answer.grantedNanoUsd], [25n, 75n]);
  });

  test('is in the window that its lease was for', async () => {
    const { one, publish, until, count } = await leaseFixture(100n);
    const next = { ...keyDay, windowStart: '2026-11-19T00:00:00.000Z' };
    const capped = { limitNanoUsd: 30n };
    await one('routing-0', lease(1n, 30n, { ...capped, budget: keyDay }));
    await publish(aFact({ costNanoUsd: 30n, leaseEpoch: 1n, leaseNumbers: [1n] }));
    await until(async () => (await count('usage_facts')) === 1);
    equal((await one('b', lease(1n, 1n, { ...capped, budget: keyDay }))).grantedNanoUsd, 0n);
    equal((await one('b', lease(2n, 30n, { ...capped, budget: next }))).grantedNanoUsd, 30n);
  });
});

test('what is settled and what is leased are one picture, also while usage is counted', async () => {
  const { one, publish } = await leaseFixture(1_000n);
  await one('routing-0', lease(1n, 300n));
  const facts = Array.from({ length: 300 }, (_, index) =>
    aFact({ sequence: BigInt(index + 1), costNanoUsd: 1n, leaseEpoch: 1n, leaseNumbers: [1n] }),
  );
  const publishing = (async () => {
    for (const fact of facts) await publish(fact);
  })();
  for (let settled = 0n; settled < 300n;) {
    const answer = await one('routing-0', lease(1n, 0n, { grantedNanoUsd: 300n }));
    settled = answer.settledNanoUsd;
    equal(settled + answer.leasedNanoUsd, 300n);
    equal(answer.countedNanoUsd, settled);
  }
  await publishing;
});

describe('the limit of a key', () => {
  test('is the ledger’s own as soon as it has received it', async () => {
    const { one, limitKey } = await leaseFixture(100n);
    const asked = { budget: keyDay, limitNanoUsd: 50n };
    equal((await one('a', lease(1n, 20n, asked))).limitNanoUsd, 50n);
    await limitKey(30n);
    const answer = await one('a', lease(1n, 20n, { ...asked, grantedNanoUsd: 20n }));
    deepEqual([answer.limitNanoUsd, answer.grantedNanoUsd], [30n, 30n]);
  });

  test('that is lowered stops grants at once, and nothing is forgotten', async () => {
    const { one, limitKey } = await leaseFixture(100n);
    await limitKey(50n);
    await one('a', lease(1n, 40n, { budget: keyDay }));
    await limitKey(10n);
    const answer = await one('a', lease(1n, 1n, { budget: keyDay, grantedNanoUsd: 40n }));
    deepEqual([answer.limitNanoUsd, answer.leasedNanoUsd, answer.grantedNanoUsd], [10n, 40n, 40n]);
  });
});

describe('a replica that died', () => {
  test('keeps what it had until its next epoch says that all is counted', async () => {
    const { one, client, publish, until, count } = await leaseFixture(100n);
    await one('routing-0@1', lease(1n, 80n));
    equal((await one('b', lease(1n, 100n))).grantedNanoUsd, 20n);
    await one('routing-0@2', lease(1n, 0n));
    await rejects(one('routing-0@1', lease(1n, 1n)), { code: 'conflict' });
    await publish(aFact({ costNanoUsd: 30n, leaseEpoch: 1n, leaseNumbers: [1n] }));
    await until(async () => (await count('usage_facts')) === 1);
    const waiting = lease(1n, 100n, { grantedNanoUsd: 20n });
    equal((await one('b', waiting)).grantedNanoUsd, 20n);
    const writer = { replica: 'routing-0', epoch: 2n };
    deepEqual(await client.closeEpochs(writer), { freedNanoUsd: 50n });
    deepEqual(await client.closeEpochs(writer), { freedNanoUsd: 0n });
    equal((await one('b', waiting)).grantedNanoUsd, 70n);
    await rejects(client.closeEpochs({ ...writer, epoch: 1n }), { code: 'conflict' });
  });
});

test('many replicas that ask for many budgets at once never get more than there is', async () => {
  const { acquire, count, database } = await leaseFixture(1_000n);
  const days = [1, 2, 3, 4].map((day) => ({
    ...keyDay,
    windowStart: `2026-11-0${day}T00:00:00.000Z`,
  }));
  await Promise.all(
    Array.from({ length: 12 }, async (_, replica) => {
      for (let round = 0; round < 8; round += 1) {
        const budgets = [credits, ...days].toSorted((_a, _b) => ((replica + round) % 3) - 1);
        const requests = budgets.map((budget) =>
          lease(BigInt(round * 5 + [credits, ...days].indexOf(budget) + 1), 17n, {
            budget,
            limitNanoUsd: 500n,
          }),
        );
        await acquire(`replica-${replica}`, ...requests);
      }
    }),
  );
  const sums = await database.query<{ window_start: Date; leased: bigint }>({
    text: `SELECT window_start, sum(granted_nano_usd)::bigint AS leased FROM leases GROUP BY 1 ORDER BY 1`,
    values: [],
  });
  deepEqual(
    sums.map(({ leased }) => leased),
    [1_000n, 500n, 500n, 500n, 500n],
  );
  equal(await count('replicas'), 12);
});

describe('a request that makes no sense', () => {
  test.each<[string, LeaseRequest[]]>([
    ['a lease asked for twice', [lease(1n, 1n), lease(1n, 1n, { budget: keyDay })]],
    ['a budget asked for twice', [lease(1n, 1n), lease(2n, 1n)]],
    ['a negative need', [lease(1n, -1n)]],
    ['no number', [lease(0n, 1n)]],
    ['no budget', [{ ...lease(1n, 1n), budget: undefined }]],
    ['an unknown scope', [lease(1n, 1n, { budget: { ...credits, scopeKind: 'planet' } })]],
    [
      'a day that does not begin',
      [lease(1n, 1n, { budget: { ...keyDay, windowStart: '2026-11-18T01:00:00.000Z' } })],
    ],
    ['a minute of a key', [lease(1n, 1n, { budget: { ...keyDay, windowKind: 'minute' } })]],
    [
      'a month of free requests',
      [
        lease(1n, 1n, {
          budget: {
            ...keyDay,
            scopeKind: 'free_requests',
            windowKind: 'monthly',
            windowStart: '2026-11-01T00:00:00.000Z',
          },
        }),
      ],
    ],
    ['a closed lease that wants more', [lease(1n, 1n, { close: true })]],
    ['too many', Array.from({ length: 501 }, (_, index) => lease(BigInt(index + 1), 0n))],
  ])('is refused: %s', async (_case, requests) => {
    const { acquire, count } = await leaseFixture(100n);
    await rejects(acquire('a', ...requests), { code: 'invalid_request' });
    equal(await count('leases'), 0);
  });

  test('is refused: a number that is of another budget', async () => {
    const { acquire, one } = await leaseFixture(100n);
    await one('a', lease(1n, 1n));
    await rejects(acquire('a', lease(1n, 1n, { budget: keyDay })), { code: 'invalid_request' });
    await rejects(acquire('a b', lease(1n, 1n)), { code: 'invalid_request' });
    await rejects(acquire('a@0', lease(1n, 1n)), { code: 'invalid_request' });
  });
});
