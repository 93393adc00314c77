import { deepEqual, equal, ok } from 'node:assert/strict';
import { createSpending, Shortage, type Authority, type Budget, type Hold } from '@sluice/spend';
import type { UsageFact } from '@sluice/usage-facts';
import { describe, inject, test } from 'vitest';
import { aFact } from '@sluice/usage-facts/testing';
import { lease, leaseFixture } from './testing/lease-fixture.ts';
import { verifyLedger } from './verification/verify-ledger.ts';

/** One instant for all: no window ends while a test runs. */
const at = new Date();
const text = at.toISOString();
const scope = { accountId: 'acct_1', scopeKind: 'free_requests', scopeId: 'acct_1' } as const;
const day = { ...scope, windowKind: 'daily', windowStart: `${text.slice(0, 10)}T00:00:00.000Z` };
const minute = { ...scope, windowKind: 'minute', windowStart: `${text.slice(0, 16)}:00.000Z` };
const budgets: readonly Budget[] = (['daily', 'minute'] as const).map((interval) => ({
  ...scope,
  interval,
  limitNanoUsd: undefined,
  includeByok: false,
}));

/** A replica that spends what the ledger grants it, one request after the other. */
function replicaOf(acquire: Authority['acquire']) {
  const spending = createSpending({ authority: { acquire }, nowMs: () => performance.now() });
  const admit = async (): Promise<Hold | undefined> => {
    for (;;) {
      const hold = spending.hold(budgets, 1n, at);
      if (!(hold instanceof Shortage)) return hold;
      if (!(await spending.ask(budgets, 1n, at))) break;
    }
    const hold = spending.hold(budgets, 1n, at);
    return hold instanceof Shortage ? undefined : hold;
  };
  /** True: it was served. */
  const serve = async (): Promise<Hold | undefined> => {
    const hold = await admit();
    if (hold) spending.settle(hold, 1n);
    return hold;
  };
  return { spending, admit, serve };
}

async function replicas(count: number) {
  const fixture = await leaseFixture(0n);
  const made = Array.from({ length: count }, (_, index) =>
    replicaOf(async (requests) => {
      const { leases, replicas: alive } = await fixture.acquire(
        `replica-${index}`,
        ...requests.map((request) => ({ ...request })),
      );
      return { leases, replicas: alive };
    }),
  );
  return { ...fixture, replicas: made };
}

const paidBy = (replica: string, { leaseNumbers }: Hold): UsageFact =>
  aFact({
    model: 'sim/echo:free',
    costNanoUsd: 0n,
    admittedAt: text,
    replica,
    leaseEpoch: 1n,
    freeRequestLeaseNumbers: [...leaseNumbers],
  });

describe('requests to free models', () => {
  test('are served up to exactly the limit by one replica after the other', async () => {
    const { replicas: made } = await replicas(2);
    const [one, two] = made;
    ok(one && two);
    let served = 0;
    for (let time = 0; time < 12; time += 1) if (await one.serve()) served += 1;
    await one.spending.stop();
    for (let time = 0; time < 30; time += 1) if (await two.serve()) served += 1;
    equal(served, 20);
  });

  test('never exceed the limit, over replicas that are asked at once', async () => {
    const { replicas: made } = await replicas(3);
    const [one] = made;
    ok(one);
    const served = await Promise.all(
      made.flatMap(({ serve }) => Array.from({ length: 25 }, () => serve())),
    );
    const sum = served.filter((hold) => hold !== undefined).length;
    ok(sum > 0 && sum <= 20, `served ${sum}`);
    for (const { spending } of made) await spending.stop();
    const rest = await Promise.all(Array.from({ length: 30 }, () => one.serve()));
    equal(sum + rest.filter((hold) => hold !== undefined).length, 20);
  });

  test('that ended without output are free for others', async () => {
    const { replicas: made } = await replicas(1);
    const [one] = made;
    ok(one);
    for (let time = 0; time < 40; time += 1) {
      const hold = await one.admit();
      ok(hold, `attempt ${time}`);
      one.spending.release(hold);
    }
    let served = 0;
    for (let time = 0; time < 25; time += 1) if (await one.serve()) served += 1;
    equal(served, 20);
  });

  test('are counted per day and minute, once, and told with the limit', async () => {
    const { replicas: made, publish, until, count, client, acquire, database } = await replicas(1);
    const holds = [await made[0]?.serve(), await made[0]?.serve()];
    const facts = holds.map((hold) => paidBy('replica-0', hold as Hold));
    await publish(...facts, ...facts, aFact());
    await until(async () => (await count('usage_facts')) === 3);
    const known = { needNanoUsd: 0n, wantedNanoUsd: 0n };
    const { leases } = await acquire(
      'other',
      lease(1n, 0n, { budget: day, ...known }),
      lease(2n, 0n, { budget: minute, ...known }),
    );
    deepEqual(
      leases.map(({ limitNanoUsd, settledNanoUsd }) => [limitNanoUsd, settledNanoUsd]),
      [
        [50n, 2n],
        [20n, 2n],
      ],
    );
    const { results } = await verifyLedger({
      postgresUrl: inject('postgresUrl'),
      schema: database.schema,
    });
    deepEqual(
      results.filter(({ differing }) => differing > 0n),
      [],
    );
    const { freeRequestsToday } = await client.getCredits({ accountId: 'acct_1' });
    deepEqual(freeRequestsToday, { limit: 50n, used: 2n });
    const longAgo = '2026-01-01T12:00:00.000Z';
    await publish(aFact({ admittedAt: longAgo, freeRequestLeaseNumbers: [8n, 9n] }));
    await until(async () => (await count('usage_facts')) === 4);
    equal(await count(`counters WHERE window_kind = 'minute'`), 1);
    equal(await count(`counters WHERE scope_kind = 'free_requests' AND window_kind = 'daily'`), 2);
  });

  test.each<[kind: string, nanoUsd: bigint, limit: bigint]>([
    ['purchase', 9_999_999_999n, 50n],
    ['purchase', 10_000_000_000n, 1_000n],
    ['grant', 10_000_000_000n, 50n],
  ])('after a %s of %d nano-USD: %d a day', async (kind, nanoUsd, limit) => {
    const { one, client, publishCredit, count, until } = await leaseFixture(0n);
    await publishCredit('c1', kind, nanoUsd);
    await until(async () => (await count('credits')) === 1);
    equal((await one('a', lease(1n, 0n, { budget: day }))).limitNanoUsd, limit);
    equal((await one('a', lease(2n, 0n, { budget: minute }))).limitNanoUsd, 20n);
    const { freeRequestsToday } = await client.getCredits({ accountId: 'acct_1' });
    equal(freeRequestsToday?.limit, limit);
  });
});
