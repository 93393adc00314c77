import { deepEqual, equal } from 'node:assert/strict';
import { inject, describe, test } from 'vitest';
import { aFact, aFailure } from '@sluice/usage-facts/testing';
import { lease, leaseFixture } from './testing/lease-fixture.ts';
import { verifyLedger } from './verification/verify-ledger.ts';

/** The price of the answer: 1,000, whatever failed before it. */
const answerNanoUsd = 1_000n;
const receipt = {
  upstreamId: 'resp_true',
  inputTokens: 10n,
  cachedTokens: 0n,
  outputTokens: 200n,
  reasoningTokens: 0n,
};
/** At the prices of the estimate: 10 × 10 + 200 × 20. */
const receiptNanoUsd = 4_100n;

/** A request of which the first attempt failed and the second answered. */
async function withFailure() {
  const ledger = await leaseFixture(20_000n);
  await ledger.one('routing-0', lease(7n, 12_000n));
  const paid = { leaseEpoch: 1n, leaseNumbers: [7n], generationId: 'gen-x' };
  const failure = aFailure({ ...paid, usageId: 'gen-x/1/1', upstreamId: 'resp_0' });
  const answer = aFact({ ...paid, usageId: 'gen-x/2/1', costNanoUsd: answerNanoUsd });
  await ledger.publish(failure, answer);
  await ledger.until(async () => (await ledger.count('usage_facts')) === 2);
  const { accountId, usageId } = failure;
  const number = async (text: string) =>
    (await ledger.database.query<{ sum: bigint | null }>({ text, values: [] }))[0]?.sum ?? 0n;
  return {
    ...ledger,
    failure,
    correct: (isFree: boolean) =>
      ledger.client.correctUsage({ accountId, usageId, ...receipt, isFree }),
    upstreamNanoUsd: () =>
      number(
        'SELECT sum(coalesce(upstream_cost_nano_usd, cost_nano_usd))::bigint AS sum FROM usage_facts',
      ),
    bookNanoUsd: (book: string) =>
      number(`SELECT sum(amount_nano_usd)::bigint AS sum FROM postings WHERE book = '${book}'`),
    paidByLease: () => number('SELECT counted_nano_usd AS sum FROM leases WHERE number = 7'),
    differing: async () => {
      const { schema } = ledger.database;
      const { results } = await verifyLedger({ postgresUrl: inject('postgresUrl'), schema });
      return results.filter(({ differing }) => differing > 0n).map(({ check }) => check);
    },
  };
}

type World = Awaited<ReturnType<typeof withFailure>>;

const stages: readonly (readonly [string, (world: World) => Promise<unknown>, bigint, bigint])[] = [
  ['before anybody knows what was served', async () => undefined, 1_000n, 9_000n],
  ['when its receipt says more', (world) => world.correct(false), receiptNanoUsd, 0n],
  ['when its receipt has no price', (world) => world.correct(true), 0n, 0n],
];

describe('an attempt that failed before another one answered', () => {
  test.each(stages)(
    'costs the operator what the provider charges, and the customer nothing, %s',
    async (_, act, operatorsNanoUsd, openNanoUsd) => {
      const world = await withFailure();
      await act(world);
      const { credits: spent } = (await world.keyUsage()) ?? {};
      deepEqual([spent?.lifetimeNanoUsd, spent?.dailyNanoUsd], [answerNanoUsd, answerNanoUsd]);
      equal(await world.paidByLease(), answerNanoUsd);
      equal(await world.upstreamNanoUsd(), answerNanoUsd + operatorsNanoUsd);
      deepEqual(
        [await world.bookNanoUsd('operator_usage'), await world.bookNanoUsd('suspense')],
        [operatorsNanoUsd, openNanoUsd],
      );
      equal(await world.bookNanoUsd('credits'), 20_000n - answerNanoUsd);
      const { settledNanoUsd, grantedNanoUsd } = await world.one('b', lease(1n, 20_000n));
      deepEqual([settledNanoUsd, grantedNanoUsd], [answerNanoUsd, 20_000n - 12_000n]);
      deepEqual(await world.differing(), []);
    },
  );

  test('is no request of its own in activity, and the generation is the answer', async () => {
    const { client, failure } = await withFailure();
    const { accountId } = failure;
    const question = { byWorkspace: false, byApp: false, offset: 0 };
    const days = { fromDay: '2026-11-18', toDay: '2026-11-18' };
    const { rows } = await client.listActivity({ accountId, ...days, ...question });
    equal(
      rows.reduce((sum, { requests }) => sum + requests, 0n),
      1n,
    );
    const { generation } = await client.getGeneration({ accountId, generationId: 'gen-x' });
    deepEqual(
      [generation?.outcome, generation?.costNanoUsd, generation?.outputTokens],
      ['completed', answerNanoUsd, 20n],
    );
  });

  test('is asked of its provider when that has named it, and is left to receipts when not', async () => {
    const { client, publish, until, count } = await withFailure();
    await publish(aFailure({ upstreamId: '' }));
    await until(async () => (await count('estimates')) === 2);
    const { estimates } = await client.listEstimates({ replica: 'routing-0', limit: 10 });
    deepEqual(
      estimates.map(({ usageId }) => usageId),
      ['gen-x/1/1'],
    );
  });
});
