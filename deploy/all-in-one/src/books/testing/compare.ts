import { deepEqual } from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { until } from '@sluice/patience';
import { type Books, now } from './world.ts';

export const accountId = 'acct_1';
const dayMs = 86_400_000;

export const year = { start: '2025-11-19T00:00:00Z', end: '2026-11-19T00:00:00Z' };

export async function ask(
  { analytics }: Books,
  metrics: readonly string[],
  dimensions: readonly string[],
) {
  const { rows } = await analytics().query({
    accountId,
    metrics: [...metrics],
    dimensions: [...dimensions],
    granularity: dimensions.length > 0 ? 'day' : undefined,
    timeRange: year,
    filters: [],
    orderBy: undefined,
    limit: 10_000,
    groupLimit: undefined,
    asOf: undefined,
  });
  return JSON.parse(rows) as readonly Readonly<Record<string, string | number>>[];
}

const nano = (usd: unknown) => Math.round(Number(usd) * 1e9);

/** Waits until all is counted by both, and compares each day, model and workspace. */
export async function compare(world: Books): Promise<void> {
  // Some facts may still be on their way when the sums of the others are equal.
  let differences: readonly unknown[] = [];
  const areEqual = async () => {
    if (!isDeepStrictEqual(...(await sumsOf(world)))) return false;
    differences = await verify(world);
    return differences.length === 0;
  };
  // The last look says what is missing.
  await until(areEqual).catch(() => undefined);
  deepEqual(...(await sumsOf(world)));
  deepEqual(differences, []);
}

type Sums = readonly (readonly [string, number[]])[];

/** Returns the sums of analytics and those of the ledger. */
async function sumsOf(world: Books): Promise<readonly [Sums, Sums]> {
  const { rows } = await world.ledger.listActivity({
    accountId,
    fromDay: '2025-11-19',
    toDay: '2026-11-18',
    byWorkspace: true,
    byApp: false,
    offset: 0,
  });
  const metrics = [
    'request_count',
    'tokens_prompt',
    'tokens_completion',
    'reasoning_tokens',
    'credits_usage',
    'byok_usage',
  ];
  const answer = await ask(world, metrics, ['model', 'workspace']);
  const sums = new Map<string, number[]>();
  for (const row of rows) {
    const key = `${row.day} ${row.model} ${row.workspaceId}`;
    const amounts = [
      row.requests,
      row.inputTokens,
      row.outputTokens,
      row.reasoningTokens,
      row.creditsNanoUsd,
      row.byokNanoUsd,
    ].map(Number);
    const sum = sums.get(key) ?? amounts.map(() => 0);
    sums.set(
      key,
      sum.map((value, index) => value + (amounts[index] ?? 0)),
    );
  }
  const found = answer.map((row): [string, number[]] => [
    `${String(row['date__day']).slice(0, 10)} ${row['model']} ${row['workspace']}`,
    metrics.map((name) => (name.endsWith('_usage') ? nano(row[name]) : Number(row[name]))),
  ]);
  return [sortedEntries(found), sortedEntries(sums)];
}

/** Returns what the service itself finds different, in the last hundred days of all accounts. */
export async function verify({ analytics }: Books): Promise<readonly unknown[]> {
  const differences: unknown[] = [];
  let [after, compared] = ['', 0];
  do {
    const page = await analytics().verify({
      startMs: BigInt(now.getTime() - 100 * dayMs - 20 * 3_600_000),
      endMs: BigInt(now.getTime()),
      accountId: undefined,
      after,
    });
    differences.push(...page.differences);
    compared += page.compared;
    after = page.next;
  } while (after !== '');
  deepEqual(compared, 101);
  return differences;
}

/** Returns the failed requests of all days. */
export async function failuresOf({ tables }: Books): Promise<number> {
  const [row] = await tables.query<{ failed: number }>({
    text: 'SELECT coalesce(sum(failed_requests), 0)::integer AS failed FROM usage_day',
    values: [],
  });
  return row?.failed ?? 0;
}

function sortedEntries(entries: Iterable<readonly [string, number[]]>) {
  return [...entries]
    .filter(([, amounts]) => amounts.some((amount) => amount !== 0))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}
