import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@sluice/clock-and-ids';
import type { Logger } from '@sluice/logging';
import type { AnalyticsStore } from '../store/analytics-store.ts';
import { dayMs, hourMs, type Place, type Verifier } from '../verification/verifier.ts';

export interface CheckSumsOptions {
  readonly verifier: Verifier;
  readonly store: AnalyticsStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Told how many sums differed in a check that has come to its end. */
  readonly onDifferences: (count: number) => void;
  readonly signal: AbortSignal;
  readonly intervalMs?: number;
}

const intervalMsDefault = hourMs;
const pauseMs = 1_000;
/** A ledger that was not read for longer is ahead of the sums, and no check would say more. */
const ledgerReadMsMax = 600_000;

/** Compares yesterday and the last hour that has ended, again and again, with pauses: it never is in a hurry. */
export async function checkSums(options: CheckSumsOptions): Promise<void> {
  const { logger, signal, intervalMs = intervalMsDefault } = options;
  while (!signal.aborted) {
    await delay(intervalMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    try {
      await checkOnce(options);
    } catch (error) {
      logger.warn('sums cannot be compared now', { error });
    }
  }
}

async function checkOnce(options: CheckSumsOptions): Promise<void> {
  const { store, clock, logger, onDifferences, signal } = options;
  const nowMs = clock.now().getTime();
  const readAt = await store.ledgerReadAt();
  if (!readAt || nowMs - readAt.getTime() > ledgerReadMsMax) return;
  const todayMs = Math.floor(nowMs / dayMs) * dayMs;
  const hourEndMs = Math.floor(nowMs / hourMs) * hourMs;
  const windows = [
    { startMs: hourEndMs - hourMs, endMs: hourEndMs },
    { startMs: todayMs - dayMs, endMs: todayMs },
  ];
  let differing = 0;
  for (const window of windows) differing += await differencesOf(window, options);
  if (signal.aborted) return;
  onDifferences(differing);
  if (differing > 0)
    logger.error('sums of analytics differ: `sluice analytics verify` names them', {
      count: differing,
    });
}

async function differencesOf(
  range: { readonly startMs: number; readonly endMs: number },
  { verifier, signal }: CheckSumsOptions,
): Promise<number> {
  let count = 0;
  let place: Place | undefined;
  do {
    const { differences, next } = await verifier.page(
      { ...range, accountId: undefined },
      place,
      signal,
    );
    count += differences.length;
    place = next;
    if (place) await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  } while (place && !signal.aborted);
  return count;
}
