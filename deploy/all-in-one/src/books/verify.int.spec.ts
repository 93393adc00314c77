import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { until } from '@sluice/patience';
import { aByokFact, aFact, anEstimate, aToolFact } from '@sluice/usage-facts/testing';
import { bareEnvironment } from '@sluice/testing/bare-environment';
import { expect, test } from 'vitest';
import { type Books, books, now, token } from './testing/world.ts';

const main = join(import.meta.dirname, '../../../cli/src/main.ts');
/** The day before that of the books, so that the service's own check is about it. */
const at = { admittedAt: '2026-11-17T10:15:00.000Z', completedAt: '2026-11-17T10:15:01.000Z' };
const hour = {
  startMs: Date.parse('2026-11-17T10:00:00Z'),
  endMs: Date.parse('2026-11-17T11:00:00Z'),
};

/**
 * Runs the command as a process, for the two days before that of the books. Its own clock is a later one, of which it
 * remarks on the standard error.
 */
async function verify({ analyticsAddress }: Books, ...words: readonly string[]) {
  const env = {
    ...bareEnvironment,
    SLUICE_ANALYTICS_ADDRESS: analyticsAddress(),
    SLUICE_RPC_TOKEN: token,
  };
  const days = ['--from', '2026-11-16', '--to', '2026-11-18'];
  const args = [main, 'analytics', 'verify', ...days, ...words];
  return await new Promise<{ code: unknown; out: string }>((resolve) => {
    execFile(process.execPath, args, { env, timeout: 240_000 }, (failure, out) =>
      resolve({ code: failure ? failure.code : 0, out }),
    );
  });
}

const differing = async ({ telemetry }: Books) =>
  /^analytics_differences\{[^}]*\} (\d+)/m.exec(await telemetry.prometheus())?.[1];

test('sums that are those of the ledger are said to be; a planted difference is named and measured', async () => {
  const world = await books(() => undefined, { checkIntervalMs: 50 });
  const estimate = anEstimate({ ...at, usageId: 'gen-1/1/1', generationId: 'gen-1', sequence: 1n });
  const { accountId } = estimate;
  const of = (index: number) => ({
    ...at,
    accountId,
    usageId: `gen-${index}/1/1`,
    generationId: `gen-${index}`,
    sequence: BigInt(index),
  });
  await world.publish([
    estimate,
    aFact(of(2)),
    aByokFact(of(3)),
    aToolFact({ ...of(4), usageId: 'gen-4/tool/1' }),
    aFact({ ...of(5), accountId: 'acct_other' }),
  ]);
  const facts = async () => {
    const text = 'SELECT count(*) AS count FROM facts';
    const [row] = await world.tables.query<{ count: bigint }>({ text, values: [] });
    return Number(row?.count);
  };
  await until(async () => (await facts()) === 5);
  await world.ledger.correctUsage({
    accountId,
    usageId: estimate.usageId,
    upstreamId: 'resp_9',
    inputTokens: 7n,
    cachedTokens: 0n,
    outputTokens: 9n,
    reasoningTokens: 0n,
    isFree: false,
    costNanoUsd: undefined,
  });
  await until(async () => (await verify(world)).code === 0);
  deepEqual(await verify(world), {
    code: 0,
    out: 'The sums of analytics are those of its facts and of the ledger (4 days of accounts).\n',
  });

  const plant = async (change: string) => {
    const text = `UPDATE usage_day SET service_nano_usd = service_nano_usd ${change}
      WHERE account = (SELECT id FROM accounts WHERE account_id = 'acct_other')`;
    await world.tables.query({ text, values: [] });
  };
  await plant('+ 1');
  const bad = await verify(world);
  equal(bad.code, 1);
  match(bad.out, /^usage_day acct_other 2026-11-17 service_nano_usd: (\d+), and facts has \d+\n/);
  match(bad.out, /\n2 sums differ \(4 days of accounts\)\.\n$/);
  equal((await verify(world, '--account', accountId)).code, 0);
  await until(async () => (await differing(world)) === '2');
  await plant('- 1');
  await until(async () => (await differing(world)) === '0');
  equal((await verify(world)).code, 0);
});

test('a window or a place that is none is refused', async () => {
  const world = await books(() => undefined);
  const ask = (changes: object) => {
    const { startMs, endMs } = { ...hour, ...changes };
    const [start, end] = [BigInt(startMs), BigInt(endMs)];
    const question = { accountId: undefined, after: '', ...changes };
    return world.analytics().verify({ ...question, startMs: start, endMs: end });
  };
  deepEqual((await ask({})).differences, []);
  for (const [changes, path] of [
    [{ startMs: hour.startMs + 1 }, 'start_ms'],
    [{ endMs: hour.endMs + 1 }, 'end_ms'],
    [{ startMs: hour.endMs }, 'start_ms'],
    [{ startMs: -3_600_000 }, 'start_ms'],
    [{ startMs: 0 }, 'start_ms'],
    [{ endMs: now.getTime() + 3_600_000 }, 'end_ms'],
    [{ accountId: "'; --" }, 'account_id'],
    [{ after: 'acct_1' }, 'after'],
    [{ after: `acct_1/${hour.endMs}` }, 'after'],
    [{ after: `acct_2/${hour.startMs}`, accountId: 'acct_1' }, 'after'],
  ] as const)
    await rejects(ask(changes), (error: Error & { readonly code?: string }) => {
      expect(error.code, JSON.stringify(changes)).toBe('invalid_request');
      expect(error.message).toContain(path);
      return true;
    });
});
