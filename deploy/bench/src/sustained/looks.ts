import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { watching } from '@sluice/testing/watching';
import { residentBytesOf } from '../harness/machine/process-figures.ts';
import type { Subject } from '../subjects/subject.ts';

/** One look at a subject, by its own metrics. A figure that it does not have is 0. */
export interface Look {
  readonly atMs: number;
  /** The longest wait of a finished request until the ledger counted it, of its last batch. */
  readonly lagSeconds: number;
  /** The age of the oldest finished request that the ledger has not counted. */
  readonly oldestSeconds: number;
  /** Facts in the spool that the ledger has not counted. */
  readonly uncounted: number;
  readonly spoolBytes: number;
  readonly residentBytes: number;
}

/** Often enough for a lag of seconds. A scrape takes the process tens of milliseconds: one a second would be in p99. */
const everyMs = 5_000;
const askingMsMax = 5_000;
const countedEveryMs = 500;

/** Returns the largest value of a metric, whatever its labels. */
export function largestOf(metrics: string, name: string): number {
  const lines = metrics.split('\n').filter((line) => /^\w+/.exec(line)?.[0] === name);
  return Math.max(0, ...lines.map((line) => Number(line.slice(line.lastIndexOf(' ')))));
}

/** Looks at the subject every five seconds until it is stopped. A scrape that fails is left out, and counted. */
export function startLooking(subject: Subject): () => Promise<{ looks: Look[]; unseen: number }> {
  const looks: Look[] = [];
  let unseen = 0;
  const looking = watching(everyMs, async () => {
    const look = await lookAt(subject);
    if (look === undefined) unseen += 1;
    else looks.push(look);
  });
  return async () => {
    await looking[Symbol.asyncDispose]();
    return { looks, unseen };
  };
}

/** Returns undefined if the metrics cannot be read. */
export async function lookAt(subject: Subject): Promise<Look | undefined> {
  const { measured, others } = await subject.pids();
  const residentBytes = await residentBytesOf([...measured, ...others]);
  const metrics = await scrape(subject).catch(() => undefined);
  if (metrics === undefined) return undefined;
  return {
    atMs: performance.now(),
    lagSeconds: largestOf(metrics, 'ledger_lag_seconds'),
    oldestSeconds: largestOf(metrics, 'usage_backlog_age_seconds'),
    uncounted: largestOf(metrics, 'usage_uncounted'),
    spoolBytes: largestOf(metrics, 'usage_spool_bytes'),
    residentBytes,
  };
}

/** Returns the seconds until no fact waits to be counted; null: some still wait after so many. */
export async function untilCounted(subject: Subject, secondsMax: number): Promise<number | null> {
  const sinceMs = performance.now();
  const passed = () => (performance.now() - sinceMs) / 1_000;
  while (passed() <= secondsMax) {
    const look = await lookAt(subject);
    if (look?.uncounted === 0) return passed();
    await delay(countedEveryMs);
  }
  return null;
}

/** Returns the metrics of all its processes. */
async function scrape({ adminUrl, otherAdminUrls = [] }: Subject): Promise<string> {
  if (adminUrl === undefined) return '';
  const texts = [adminUrl, ...otherAdminUrls].map(async (url) => {
    const signal = AbortSignal.timeout(askingMsMax);
    const answer = await request(`${url}/metrics`, { signal });
    return await answer.body.text();
  });
  return (await Promise.all(texts)).join('\n');
}
