import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Instance, startInstance } from '@sluice/acceptance/instance';
import { openDatabase } from '@sluice/read-model';
import { type Kill, killAtRandom } from '../crash/killing.ts';
import { type Surroundings, surroundingsOf } from '../crash/surroundings.ts';
import { seededRandom } from '../random.ts';
import { type Books, booksOf, readReceipts } from './books.ts';
import { watchCaps } from './caps-watch.ts';
import { type Reconciled, reconcile } from './reconcile.ts';
import { tellReceipts } from './tell-receipts.ts';
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
  /** The most at any time: charged, in suspense and on lease, beyond the limits. */
  readonly overspendNanoUsd: bigint;
  /** How often it was looked. */
  readonly capLooks: number;
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
  'account',
  'workspace',
  'guardrail',
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
/** So long routing has to ask the provider itself. */
const askingMs = 10_000;
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
  const surroundings = await surroundingsOf(instance);
  const { pidFileOf, postgresUrl } = surroundings;
  const random = seededRandom(seed);
  const limited = await Promise.all(keyLimitsUsd.map((limit) => issueKey(instance, limit)));
  const keys = [instance.bootstrap.api_key, ...limited] as const;
  const database = openDatabase({ url: postgresUrl, schema: 'ledger', connectionsMax });
  const books = booksOf(database);
  const caps = watchCaps(books);
  const traffic = startTraffic({ instance, keys, requestsPerSecond, random: random.fork() });
  const acknowledged = () => traffic.counts.answered;
  const onKill = ({ number, part, pid }: Kill) =>
    onProgress(`kill ${number} of ${kills}: ${part} (${pid}), ${acknowledged()} answered`);
  try {
    let killed: readonly Kill[];
    try {
      const killing = { parts, kills, pidFileOf, acknowledged, onKill, random: random.fork() };
      killed = await killAtRandom(killing);
    } finally {
      await traffic.stop();
    }
    onProgress('the books are compared');
    const killsOf: Record<string, number> = {};
    for (const { part } of killed) killsOf[part] = (killsOf[part] ?? 0) + 1;
    const { findings, ...compared } = await settled({ books, instance, surroundings });
    const { overspendNanoUsd, looks: capLooks } = caps;
    const overspent = overspendNanoUsd > 0n ? [`overspent by ${overspendNanoUsd}`] : [];
    const counted = { seed, kills: killed.length, killsOf, overspendNanoUsd, capLooks };
    return { ...counted, ...traffic.counts, ...compared, findings: [...findings, ...overspent] };
  } finally {
    await caps.stop();
    await database.stop();
  }
}

interface Settling {
  readonly books: Books;
  readonly instance: Instance;
  readonly surroundings: Surroundings;
}

type Compared = Reconciled & Pick<UsageTestResult, 'receipts' | 'usageRows'>;

/**
 * Usage comes late, and nothing may come after it: the last comparison is the one that counts. What routing
 * cannot learn from the provider is told from its receipts; nothing may be an estimate then.
 */
async function settled(settling: Settling): Promise<Compared> {
  const { books, instance, surroundings } = settling;
  const startedMs = performance.now();
  for (;;) {
    const { findings, open } = await compare(settling);
    const passedMs = performance.now() - startedMs;
    if ((findings.length === 0 && open === 0) || passedMs > settleTimeoutMs) break;
    if (passedMs > askingMs)
      await tellReceipts(surroundings, instance.bootstrap.organization_id, {
        receipts: await receiptsOf(instance),
        rows: await books.rows(),
      });
    await delay(settlePollMs);
  }
  await delay(quietMs);
  const compared = await compare(settling);
  const { open, billedNanoUsd, receiptNanoUsd } = compared;
  const findings = [...compared.findings, ...(await books.audit())];
  if (open > 0) findings.push(`${open} receipts have estimates for rows`);
  if (billedNanoUsd !== receiptNanoUsd)
    findings.push(`billed ${billedNanoUsd} in all where the receipts say ${receiptNanoUsd}`);
  return { ...compared, findings };
}

async function compare({ books, instance }: Settling): Promise<Compared> {
  const [receipts, rows] = [await receiptsOf(instance), await books.rows()];
  return { ...reconcile(receipts, rows), receipts: receipts.length, usageRows: rows.length };
}

const receiptsOf = ({ dataDirectory }: Instance) =>
  readReceipts(join(dataDirectory, 'simulator', 'receipts.jsonl'));

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
