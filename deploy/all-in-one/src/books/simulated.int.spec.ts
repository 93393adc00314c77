import { deepEqual, ok } from 'node:assert/strict';
import { until } from '@sluice/patience';
import { simulate, type Simulated } from '@sluice/simulation';
import { seededRandom } from '@sluice/testing/random';
import { amountsOf, isOperatorsOwn } from '@sluice/usage-facts';
import { describe, test } from 'vitest';
import { type Books, books } from './testing/world.ts';

type Ledger = Simulated['ledger'];

/** All days of a simulation have ended. */
const at = new Date('2026-12-08T20:00:00.000Z');
const range = { start: '2026-11-22T00:00:00Z', end: '2026-12-08T00:00:00Z' };

/**
 * Does to the books what the simulated ledger was asked to do, in its order: facts that came together, twice, late, out
 * of order and in pieces, because replicas, the ledger and the broker were killed and messages were lost.
 */
async function doAgain(
  { carried, facts }: Ledger,
  world: Books,
  restarts: () => boolean,
): Promise<{ readonly repeated: number; readonly corrected: number }> {
  const accountOf = new Map(facts.map(({ usageId, accountId }) => [usageId, accountId]));
  const seen = new Set<string>();
  let [repeated, corrected] = [0, 0];
  for (const { operation, answer } of carried) {
    if (operation.do === 'settle usage') {
      const counted = operation.decoded.flatMap((one) => ('fact' in one ? [one] : []));
      for (const bundle of Map.groupBy(counted, ({ message }) => message.id).values()) {
        const together = bundle.map(({ fact }) => fact);
        await world.publishBundle(together);
        repeated += together.filter(({ usageId }) => seen.has(usageId)).length;
        for (const { usageId } of together) seen.add(usageId);
      }
    }
    if (operation.do === 'correct usage' && answer !== 0)
      for (const testimony of operation.testimonies) {
        const accountId = accountOf.get(testimony.usageId) ?? '';
        // The ledger of the books may count it a moment later.
        const costNanoUsd = testimony.costNanoUsd ?? undefined;
        const asked = { ...testimony, accountId, costNanoUsd };
        await until(async () => (await world.ledger.correctUsage(asked)).isNew);
        corrected += 1;
      }
    if (restarts()) await world.restartAnalytics();
  }
  return { repeated, corrected };
}

/** Returns the differences that the service itself finds among its tables and the ledger. */
async function verified({ analytics }: Books): Promise<readonly unknown[]> {
  const differences: unknown[] = [];
  let [after, compared] = ['', 0];
  do {
    const page = await analytics().verify({
      startMs: BigInt(Date.parse(range.start)),
      endMs: BigInt(Date.parse(range.end)),
      accountId: undefined,
      after,
    });
    differences.push(...page.differences);
    compared += page.compared;
    after = page.next;
  } while (after !== '');
  ok(compared >= 16, String(compared));
  return differences;
}

const metrics = ['credits_usage', 'byok_usage'];

/** Returns what an account paid from credits, and with own credentials, in nano-USD. */
async function sumsOf({ analytics }: Books, accountId: string): Promise<readonly bigint[]> {
  const { rows } = await analytics().query({
    accountId,
    metrics,
    dimensions: [],
    granularity: undefined,
    timeRange: range,
    filters: [],
    orderBy: undefined,
    limit: undefined,
    groupLimit: undefined,
    asOf: undefined,
  });
  const [row = {}] = JSON.parse(rows) as readonly Record<string, number>[];
  return metrics.map((name) => BigInt(Math.round((row[name] ?? 0) * 1e9)));
}

/** Returns the same sums of the simulated ledger. */
function simulatedSums({ facts }: Ledger, accountId: string): readonly bigint[] {
  const own = facts.filter((fact) => fact.accountId === accountId && !isOperatorsOwn(fact));
  const sum = (of: 'creditsNanoUsd' | 'byokNanoUsd') =>
    own.reduce((total, fact) => total + amountsOf(fact)[of], 0n);
  return [sum('creditsNanoUsd'), sum('byokNanoUsd')];
}

describe('with the faults of the simulation, and kills of analytics at any commit', () => {
  const all = { repeated: 0, corrected: 0 };
  test.each([
    { seed: 5, hasTools: false },
    { seed: 6, hasTools: false },
    { seed: 7, hasTools: true },
    { seed: 38, hasTools: true },
  ])('the sums are those of the ledger (seed $seed)', async ({ seed, hasTools }) => {
    const { ledger: simulated, findings } = await simulate(seed, { hasTools });
    deepEqual(findings, []);
    const random = seededRandom(seed);
    const world = await books(
      () => {
        const number = random.next();
        if (number < 0.1) return 'before';
        return number < 0.2 ? 'after' : undefined;
      },
      { at },
    );
    const done = await doAgain(simulated, world, () => random.next() < 0.01);
    all.repeated += done.repeated;
    all.corrected += done.corrected;
    const accounts = [...new Set(simulated.facts.map(({ accountId }) => accountId))];
    const expected = accounts.map((accountId) => simulatedSums(simulated, accountId));
    const found = async () => await Promise.all(accounts.map((one) => sumsOf(world, one)));
    const areEqual = async () => String(await found()) === String(expected);
    // The last look says what is missing.
    await until(async () => (await areEqual()) && (await verified(world)).length === 0).catch(
      () => undefined,
    );
    deepEqual(await found(), expected);
    deepEqual(await verified(world), []);
  });

  test('facts came again, and were corrected', () => {
    ok(all.repeated > 0 && all.corrected > 0, JSON.stringify(all));
  });
});
