import { deepEqual } from 'node:assert/strict';
import { until } from '@sluice/patience';
import { contentOf } from '@sluice/workspace-files';
import { describe, test } from 'vitest';
import { accountId, compare, year } from './testing/compare.ts';
import { randomOf, someFacts } from './testing/some-facts.ts';
import { type Books, books } from './testing/world.ts';

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
