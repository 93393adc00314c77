import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Instance, startInstance } from '@sluice/acceptance/instance';
import { openDatabase } from '@sluice/read-model';
import { type Kill, killAtRandom } from '../crash/killing.ts';
import { surroundingsOf } from '../crash/surroundings.ts';
import { seededRandom } from '../random.ts';
import { type Books, booksOf, readReceipts } from './books.ts';
import { type Reconciled, reconcile } from './reconcile.ts';
import { startTraffic, type TrafficCounts } from './traffic.ts';

export interface UsageTestOptions {
  readonly kills: number;
  readonly requestsPerSecond: number;
  readonly seed: number;
  readonly onProgress: (line: string) => void;
}

export interface UsageTestResult extends Reconciled, TrafficCounts {
  readonly seed: number;
  /** Part → how often it was killed. */
  readonly killsOf: Readonly<Record<string, number>>;
  readonly kills: number;
  readonly receipts: number;
  readonly usageRows: number;
  readonly overspendNanoUsd: bigint;
  readonly durationSeconds: number;
}

const parts = [
  'gateway',
  'routing',
  'routing',
  'ledger',
  'nats',
  'postgres',
  'eventstore',
  'key',
] as const;
const environment = {
  SLUICE_INFERENCE_REQUESTS_PER_MINUTE: '1000000',
  SLUICE_INFERENCE_OPEN_MAX: '10000',
  SLUICE_BOOTSTRAP_CREDITS_USD: '1000',
};
/** Small enough to be used up, so that the cap is put to the test as well. */
const keyLimitsUsd = [0.0005, 0.02, 0.2] as const;
const connectionsMax = 2;
const settleTimeoutMs = 90_000;
const settlePollMs = 1_000;
/** For what would come a second time. */
const quietMs = 2_000;

/**
 * Sends requests to services in processes of their own, kills some of these meanwhile, then holds our
 * books against those of the provider. Everything that was started has ended when it resolves; the
 * data directory is kept when something does not hold.
 */
export async function usageTest(options: UsageTestOptions): Promise<UsageTestResult> {
  const startedMs = performance.now();
  options.onProgress(`seed ${options.seed}: the services start`);
  const instance = await startInstance(environment, 'processes');
  let isRight = false;
  try {
    const result = await run(options, instance);
    isRight = result.findings.length === 0;
    return { ...result, durationSeconds: Math.round((performance.now() - startedMs) / 1_000) };
  } finally {
    if (isRight) await instance.dispose();
    else {
      await instance.stop();
      options.onProgress(`the data directory is kept: ${instance.dataDirectory}`);
    }
  }
}

async function run(
  { kills, requestsPerSecond, seed, onProgress }: UsageTestOptions,
  instance: Instance,
): Promise<Omit<UsageTestResult, 'durationSeconds'>> {
  const { pidFileOf, postgresUrl } = await surroundingsOf(instance);
  const random = seededRandom(seed);
  const limited = await Promise.all(keyLimitsUsd.map((limit) => issueKey(instance, limit)));
  const keys = [instance.bootstrap.api_key, ...limited] as const;
  const traffic = startTraffic({ instance, keys, requestsPerSecond, random: random.fork() });
  const acknowledged = () => traffic.counts.answered;
  const onKill = ({ number, part, pid }: Kill) =>
    onProgress(`kill ${number} of ${kills}: ${part} (${pid}), ${acknowledged()} answered`);
  let killed: readonly Kill[];
  try {
    const killing = { parts, kills, pidFileOf, acknowledged, onKill, random: random.fork() };
    killed = await killAtRandom(killing);
  } finally {
    await traffic.stop();
  }
  onProgress('the books are compared');
  const database = openDatabase({ url: postgresUrl, schema: 'ledger', connectionsMax });
  try {
    const killsOf: Record<string, number> = {};
    for (const { part } of killed) killsOf[part] = (killsOf[part] ?? 0) + 1;
    const compared = await settled(booksOf(database), instance);
    return { seed, kills: killed.length, killsOf, ...traffic.counts, ...compared };
  } finally {
    await database.stop();
  }
}

type Compared = Reconciled & Pick<UsageTestResult, 'receipts' | 'usageRows' | 'overspendNanoUsd'>;

/** Usage comes late, and nothing may come after it: the last comparison is the one that counts. */
async function settled(books: Books, instance: Instance): Promise<Compared> {
  const deadlineMs = performance.now() + settleTimeoutMs;
  for (;;) {
    const { findings } = await compare(books, instance);
    if (findings.length === 0 || performance.now() > deadlineMs) break;
    await delay(settlePollMs);
  }
  await delay(quietMs);
  return await compare(books, instance);
}

async function compare(books: Books, { dataDirectory }: Instance): Promise<Compared> {
  const receipts = await readReceipts(join(dataDirectory, 'simulator', 'receipts.jsonl'));
  const rows = await books.rows();
  const reconciled = reconcile(receipts, rows);
  const overspendNanoUsd = await books.overspendNanoUsd();
  const overspent = overspendNanoUsd > 0n ? [`overspent by ${overspendNanoUsd}`] : [];
  const findings = [...reconciled.findings, ...overspent, ...(await books.audit())];
  return {
    ...reconciled,
    receipts: receipts.length,
    usageRows: rows.length,
    overspendNanoUsd,
    findings,
  };
}

async function issueKey({ bootstrap }: Instance, limit: number): Promise<string> {
  const response = await fetch(`${bootstrap.base_url}/keys`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${bootstrap.management_key}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: `limited to ${limit}`, limit }),
  });
  const { key } = (await response.json()) as { readonly key?: unknown };
  if (typeof key !== 'string') throw new Error(`no key was issued: ${response.status}`);
  return key;
}
