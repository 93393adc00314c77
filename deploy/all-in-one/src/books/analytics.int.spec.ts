import { deepEqual } from 'node:assert/strict';
import { until } from '@sluice/patience';
import type { UsageFact } from '@sluice/usage-facts';
import { aByokFact, aFact, aFailure, anEstimate, aToolFact } from '@sluice/usage-facts/testing';
import { contentOf } from '@sluice/workspace-files';
import { describe, test } from 'vitest';
import { type Books, books, now } from './testing/world.ts';

const accountId = 'acct_1';
const dayMs = 86_400_000;

/** A generator of numbers from 0 to 1, the same for a seed: a failure can be repeated. */
function randomOf(seed: number) {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

type Random = () => number;
const pick = <Item>(random: Random, items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)] as Item;

/** Facts of every kind, of the last 90 days: with own credentials, tools, repeated answers and failed attempts. */
function someFacts(random: Random, count: number): readonly UsageFact[] {
  return Array.from({ length: count }, (_, index) => {
    const daysAgo = random() < 0.7 ? random() * 3 : random() * 90;
    const admittedAt = new Date(now.getTime() - daysAgo * dayMs).toISOString();
    const changes = {
      usageId: `gen-${index}/1/1`,
      generationId: `gen-${index}`,
      sequence: BigInt(index + 1),
      model: pick(random, ['a', 'b:free', 'c']),
      provider: pick(random, ['one', 'two']),
      workspaceId: pick(random, ['ws_1', 'ws_2']),
      app: pick(random, ['', "it's; DROP TABLE facts --", '\u{1F600}\u2028']),
      externalUser: pick(random, ['', 'customer-7']),
      admittedAt,
      completedAt: new Date(Date.parse(admittedAt) + 1_500).toISOString(),
      inputTokens: BigInt(Math.floor(random() * 20_000) + 10),
    };
    const make = pick(random, [aFact, aFact, aByokFact, anEstimate, aToolFact, aFailure]);
    if (make === aToolFact)
      return aToolFact({ ...changes, usageId: `gen-${index}/tool/1`, inputTokens: 0n });
    const { inputTokens, ...others } = changes;
    if (make === aFact)
      return aFact({
        ...changes,
        inputTokens,
        costNanoUsd: BigInt(Math.floor(random() * 1e6)),
        responseCacheSourceId: random() < 0.2 ? 'gen-0' : '',
      });
    return make(others);
  });
}

const year = { start: '2025-11-19T00:00:00Z', end: '2026-11-19T00:00:00Z' };

async function ask(
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
  });
  return JSON.parse(rows) as readonly Readonly<Record<string, string | number>>[];
}

const nano = (usd: unknown) => Math.round(Number(usd) * 1e9);

/** Waits until all is counted by both, and compares each day, model and workspace. */
async function compare(world: Books): Promise<void> {
  const spent = async () =>
    Number((await world.ledger.getCredits({ accountId })).totalUsageNanoUsd);
  await until(async () => {
    const [row] = await ask(world, ['credits_usage'], []);
    return nano(row?.['credits_usage'] ?? 0) === (await spent());
  });
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
  deepEqual(sortedEntries(found), sortedEntries(sums));
  deepEqual(await verify(world), []);
}

/** Returns what the service itself finds different, in the last hundred days of all accounts. */
async function verify({ analytics }: Books): Promise<readonly unknown[]> {
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

/** Exports a year, with a stop of the service meanwhile, and compares its sum with the credits that were used. */
async function compareExport(world: Books): Promise<void> {
  const created = await until(async () => {
    // A commit may be lost. The command is sent again, as the gateway sends a request under its key again.
    const answer = await world
      .exports()
      .createExport(anExport)
      .catch(() => undefined);
    return answer?.export ?? false;
  });
  await world.restartAnalytics();
  const { exportId } = created;
  const made = await until(async () => {
    const { export: found } = await world.exports().getExport({ accountId, exportId });
    return found?.status === 'completed' && found;
  });
  const asked = { accountId, workspaceId: '', fileId: made.fileId ?? '', includesExports: true };
  const content = Buffer.concat(await Array.fromAsync(contentOf(world.files, asked))).toString();
  const [names = '', ...lines] = content.trimEnd().split('\n');
  deepEqual(BigInt(lines.length), made.rowCount);
  const at = names.split(',').indexOf('credits_nano_usd');
  // The columns before have texts with commas only in quotes.
  const cells = lines.map((line) => line.replaceAll(/"(?:[^"]|"")*"/g, '').split(',')[at] ?? '');
  const sum = cells.reduce((total, cell) => total + BigInt(cell), 0n);
  deepEqual(sum, (await world.ledger.getCredits({ accountId })).totalUsageNanoUsd);
}

const anExport = {
  context: {
    commandId: '0190a000-0000-7000-8000-000000000001',
    requestId: 'req-1',
    accountId,
    actorType: 'management_key',
    actorId: 'a'.repeat(64),
    traceparent: '',
  },
  workspaceId: '',
  format: 'csv',
  table: 'usage_day',
  question: { accountId, metrics: [], dimensions: [], filters: [], timeRange: year },
};

function sortedEntries(entries: Iterable<readonly [string, number[]]>) {
  return [...entries]
    .filter(([, amounts]) => amounts.some((amount) => amount !== 0))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

describe('the sums of analytics are those of the ledger', () => {
  test.each([1, 2, 3])(
    'with facts twice, in disorder and late, corrections, and kills at any commit (seed %i)',
    async (seed) => {
      const random = randomOf(seed);
      const world = await books(() => {
        const number = random();
        if (number < 0.15) return 'before';
        return number < 0.3 ? 'after' : undefined;
      });
      const facts = someFacts(random, 120);
      const disordered = [...facts, ...facts.filter(() => random() < 0.3)].toSorted(
        () => random() - 0.5,
      );
      await world.publish(disordered.slice(0, 60));
      await world.restartAnalytics();
      await world.publish(disordered.slice(60));
      await compare(world);
      const estimates = facts.filter(({ estimateReason }) => estimateReason !== '');
      for (const { usageId } of estimates.filter(() => random() < 0.7))
        await world.ledger.correctUsage({
          accountId,
          usageId,
          upstreamId: 'resp_9',
          inputTokens: BigInt(Math.floor(random() * 5_000)),
          cachedTokens: 0n,
          outputTokens: 7n,
          reasoningTokens: 0n,
          isFree: random() < 0.2,
          costNanoUsd: undefined,
        });
      await world.publish(disordered.slice(0, 10));
      await world.restartAnalytics();
      await compare(world);
      await compareExport(world);
    },
  );
});
