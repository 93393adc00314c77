import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@sluice/clock-and-ids';
import type { Logger } from '@sluice/logging';
import type { Database } from '@sluice/read-model';
import type { Telemetry } from '@sluice/telemetry';
import { ArchiveBusy, archiveOldDays } from '../archive/archive-facts.ts';
import type { FactRetention } from '../config.ts';
import { gatherStatistics, makePartitions } from '../store/make-partitions.ts';

export interface RetainOptions {
  readonly database: Pick<Database, 'connect' | 'query' | 'transaction'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly telemetry: Pick<Telemetry, 'metrics' | 'observe'>;
  /** All facts are kept if it is undefined. */
  readonly retention: FactRetention | undefined;
  readonly signal: AbortSignal;
  readonly intervalMs?: number;
}

const dayMs = 86_400_000;
const intervalMsDefault = 3_600_000;

/** Makes the partitions of coming facts, and archives those that are older than is kept, until the signal aborts. */
export async function retainFacts(options: RetainOptions): Promise<void> {
  const { logger, telemetry, retention, signal, intervalMs = intervalMsDefault } = options;
  let overdue = 0;
  telemetry.observe('ledger.archive.overdue.days', () => overdue);
  while (!signal.aborted) {
    try {
      await prepare(options);
      if (retention) await archive(options, retention, (days) => void (overdue = days));
    } catch (error) {
      if (!(error instanceof ArchiveBusy)) logger.warn('facts cannot be archived now', { error });
    }
    await delay(intervalMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Without a retention there are fewer partitions: a statement without a time locks each of them. */
async function prepare({ database, clock, retention }: RetainOptions): Promise<void> {
  const width = retention ? 'day' : 'month';
  const made = await makePartitions(database, { width, now: clock.now() });
  if (made > 0) await gatherStatistics(database);
}

async function archive(
  { database, clock, logger, telemetry, signal }: RetainOptions,
  { days, folder }: FactRetention,
  onOverdue: (days: number) => void,
): Promise<void> {
  let overdue = 0;
  await archiveOldDays(database, {
    folder,
    signal,
    before: new Date(clock.now().getTime() - days * dayMs),
    onDays: (due) => onOverdue((overdue = due.length)),
    onDay: (day) => {
      if (day.kind === 'held') {
        logger.warn('a day cannot be archived now', { day: day.day, reason: day.reason });
        return;
      }
      telemetry.metrics.ledgerFactsArchived.add(Number(day.facts));
      onOverdue((overdue -= 1));
      logger.info('a day was archived', { day: day.day, count: Number(day.facts) });
    },
  });
}
