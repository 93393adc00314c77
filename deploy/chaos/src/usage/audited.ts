import { join } from 'node:path';
import { type Instance } from '@sluice/acceptance/instance';
import { openDatabase } from '@sluice/read-model';
import { type Surroundings, surroundingsOf } from '../crash/surroundings.ts';
import type { Random } from '@sluice/testing/random';
import { booksOf } from './books.ts';
import { watchCaps } from './caps-watch.ts';
import { conservationAtRest, watchConservation } from './conservation.ts';
import { type Compared, settled } from './settled.ts';
import { startTraffic, type TrafficCounts } from './traffic.ts';

export interface AuditedOptions {
  readonly instance: Instance;
  readonly requestsPerSecond: number;
  readonly random: Random;
  readonly onProgress: (line: string) => void;
  /** The key of the account without a limit sends nearly everything. */
  readonly isUnlimited?: boolean;
  /** The provider's books; those of the instance's own simulator when absent. */
  readonly receiptsFile?: string;
  /** Longest wait for missing usage, in milliseconds. */
  readonly settleTimeoutMs?: number | undefined;
}

export interface Audited extends Compared, TrafficCounts {
  /** The largest amount over the limits at any time: charged, in suspense and leased. */
  readonly overspendNanoUsd: bigint;
  /** Number of checks of the limits. */
  readonly capLooks: number;
  /** Number of answers of `GET /proof/conservation`. */
  readonly conservationLooks: number;
}

/** The traffic and the checks during a disturbance. */
export interface Scene {
  readonly surroundings: Surroundings;
  readonly counts: Readonly<TrafficCounts>;
}

/** The environment of an instance under load. */
export const environment = {
  SLUICE_INFERENCE_REQUESTS_PER_MINUTE: '1000000',
  SLUICE_INFERENCE_OPEN_MAX: '10000',
  SLUICE_BOOTSTRAP_CREDITS_USD: '1000',
  // Stalled answers time out within the test.
  SLUICE_UPSTREAM_TIMEOUT_MS: '15000',
  SLUICE_UPSTREAM_IDLE_TIMEOUT_MS: '10000',
};
/** Small enough to be used up, so that the cap is put to the test as well. */
const keyLimitsUsd = [0.0005, 0.02, 0.2] as const;
const connectionsMax = 2;

/**
 * Sends requests during a disturbance, waits until usage has settled, and compares our books with the provider's.
 * All requests have ended when it resolves.
 */
export async function underAudit<Disturbed>(
  options: AuditedOptions,
  disturb: (scene: Scene) => Promise<Disturbed>,
): Promise<Audited & { readonly disturbed: Disturbed }> {
  const { instance, requestsPerSecond, random, onProgress, isUnlimited = false } = options;
  const surroundings = await surroundingsOf(instance);
  const ownReceipts = join(instance.dataDirectory, 'simulator', 'receipts.jsonl');
  const { receiptsFile = ownReceipts, settleTimeoutMs } = options;
  const limits = isUnlimited ? [] : keyLimitsUsd;
  const limited = await Promise.all(limits.map((limit) => issueKey(instance, limit)));
  const keys = [instance.bootstrap.api_key, ...limited] as const;
  const url = surroundings.postgresUrl;
  const database = openDatabase({ url, schema: 'ledger', connectionsMax });
  const books = booksOf(database);
  const caps = watchCaps(books);
  const conservation = watchConservation(instance);
  try {
    const traffic = startTraffic({ instance, keys, requestsPerSecond, random: random.fork() });
    let disturbed: Disturbed;
    try {
      disturbed = await disturb({ surroundings, counts: traffic.counts });
    } finally {
      await traffic.stop();
    }
    onProgress('the books are compared');
    const settling = { books, instance, surroundings, receiptsFile, settleTimeoutMs };
    const compared = await settled(settling);
    const { overspendNanoUsd, looks: capLooks } = caps;
    const count = async () => {
      const rows = await books.rows();
      const customersNanoUsd = rows.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0n);
      return { rows: rows.length, customersNanoUsd };
    };
    const findings = [
      ...compared.findings,
      ...(await conservationAtRest(instance, count)),
      ...conservation.findings,
      ...traffic.findings,
    ];
    if (overspendNanoUsd > 0n) findings.push(`overspent by ${overspendNanoUsd}`);
    const seen = { overspendNanoUsd, capLooks, conservationLooks: conservation.looks };
    return { ...traffic.counts, ...compared, ...seen, findings, disturbed };
  } finally {
    await caps.stop();
    await conservation.stop();
    await database.stop();
  }
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
