import { setTimeout as delay } from 'node:timers/promises';
import { type Bus, contentStream, endStream, usageStream } from '@sluice/bus';
import type { Clock } from '@sluice/clock-and-ids';
import type { Logger } from '@sluice/logging';
import type { Database } from '@sluice/read-model';
import type { Metrics } from '@sluice/telemetry';
import type { DestinationCounts } from '../delivery/destination-counts.ts';
import { endOverdue, type Overdue } from '../store/append.ts';
import { noteBusRead, noteGap } from '../store/bus-reads.ts';
import { dropHandled, dropOld, dropUnhandled, isBeyond, type LogBounds } from '../store/retain.ts';
import { notePlaces } from './note-places.ts';

export interface RetainOptions {
  readonly bus: Pick<Bus, 'placeOf'>;
  readonly database: Database;
  readonly counts: Pick<DestinationCounts, 'addLost'>;
  readonly bounds: LogBounds;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'observerGaps'>;
  /** Told that there are new generations. */
  readonly onFinished: () => void;
  readonly signal: AbortSignal;
}

const intervalMs = 5_000;
/** The message of an end comes within this time. A shorter wait for a response with tools bounds it, too. */
const overdueQuickMs = 60_000;
/** A response with tools goes on within this time, if nothing else is set. */
const endWaitMsDefault = 1_800_000;
/** Generations that are looked at in one transaction, so that writers wait for a moment only. */
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
    try {
      await notePlaces(options);
    } catch (error) {
      logger.warn('the place of the observer in the bus cannot be noted now', { error });
    }
  }
}

/** Does one round of it. */
export async function retainOnce(options: RetainOptions): Promise<void> {
  const { database, clock } = options;
  const now = clock.now();
  await noteReading(options, now);
  await endAllOverdue(options, now);
  await dropHandled(database, now);
  await dropBeyond(options, now);
  const expired = await database.transaction((transaction) => dropOld(transaction, now));
  for (const { destinationId, count } of expired)
    options.counts.addLost(destinationId, Number(count));
}

/** Ends all that is overdue now, a page after the other. */
async function endAllOverdue(
  { database, onFinished, signal, bounds: { endWaitMs = endWaitMsDefault } }: RetainOptions,
  now: Date,
): Promise<void> {
  const quickMs = Math.min(overdueQuickMs, endWaitMs);
  const bounds = { now, quickMs, longMs: endWaitMs, limit: overdueMax };
  let after: Overdue['last'];
  do {
    const from = after;
    const page = await database.transaction((transaction) => endOverdue(transaction, bounds, from));
    if (page.finished > 0) onFinished();
    after = page.last;
  } while (after && !signal.aborted);
}

/** Reports that the observer was away for longer than the bus keeps messages: some may be gone unread. */
async function noteReading({ database, logger, metrics }: RetainOptions, now: Date): Promise<void> {
  await database.transaction(async (transaction) => {
    const before = await noteBusRead(transaction, now);
    const awayMs = before ? now.getTime() - before.getTime() : 0;
    if (awayMs >= endStream.ageMsMax) {
      metrics.observerGaps.add(1, { of: 'contents' });
      logger.error('the observer was away for longer than the bus keeps contents');
    }
    if (awayMs >= contentStream.ageMsMax) {
      metrics.observerGaps.add(1, { of: 'stored_contents' });
      logger.error('the observer was away for longer than the bus keeps contents of workspaces');
    }
    if (awayMs < usageStream.ageMsMax) return;
    metrics.observerGaps.add(1, { of: 'generations' });
    const count = await noteGap(transaction, now);
    logger.error('the observer was away for longer than the bus keeps generations', { count });
  });
}

async function dropBeyond(
  { database, counts, bounds, logger }: RetainOptions,
  now: Date,
): Promise<void> {
  if (!(await isBeyond(database, bounds, now))) return;
  const lost = await database.transaction((transaction) => dropUnhandled(transaction, bounds, now));
  for (const { destinationId, count } of lost) {
    counts.addLost(destinationId, Number(count));
    logger.error('a destination was too far behind: generations are lost for it', {
      destinationId,
      count: Number(count),
    });
  }
}
