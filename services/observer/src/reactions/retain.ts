import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@sluice/clock-and-ids';
import type { Logger } from '@sluice/logging';
import type { Database } from '@sluice/read-model';
import type { Metrics } from '@sluice/telemetry';
import type { Destinations } from '../clients/destinations.ts';
import { endOverdue } from '../store/append.ts';
import { dropHandled, dropOld, dropUnhandled, isBeyond, type LogBounds } from '../store/retain.ts';

export interface RetainOptions {
  readonly database: Database;
  readonly destinations: Destinations;
  readonly bounds: LogBounds;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'observerLost'>;
  /** Told that there are new generations. */
  readonly onFinished: () => void;
  readonly signal: AbortSignal;
}

const intervalMs = 5_000;
/** The message of an end comes within this time. */
const overdueQuickMs = 60_000;
/** A response with tools ends within this time. */
const overdueLongMs = 1_800_000;
const overdueMax = 200;

/** Bounds the tables, and ends generations whose rest will not come, until the signal aborts. */
export async function retain(options: RetainOptions): Promise<void> {
  const { signal, logger } = options;
  while (!signal.aborted) {
    await delay(intervalMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    try {
      await retainOnce(options);
    } catch (error) {
      logger.warn('the log of generations cannot be tidied now', { error });
    }
  }
}

async function retainOnce(options: RetainOptions): Promise<void> {
  const { database, clock, onFinished } = options;
  const now = clock.now();
  const overdue = { now, quickMs: overdueQuickMs, longMs: overdueLongMs, limit: overdueMax };
  const ended = await database.transaction((transaction) => endOverdue(transaction, overdue));
  if (ended > 0) onFinished();
  await dropHandled(database, now);
  await dropBeyond(options, now);
  await database.transaction((transaction) => dropOld(transaction, now));
}

async function dropBeyond(
  { database, destinations, bounds, logger, metrics }: RetainOptions,
  now: Date,
): Promise<void> {
  if (!(await isBeyond(database, bounds, now))) return;
  const lost = await database.transaction((transaction) => dropUnhandled(transaction, bounds, now));
  for (const { destinationId, count } of lost) {
    const type = destinations.find(destinationId)?.type ?? '';
    metrics.observerLost.add(Number(count), { type });
    logger.error('a destination was too far behind: generations are lost for it', {
      destinationId,
      count: Number(count),
    });
  }
}
