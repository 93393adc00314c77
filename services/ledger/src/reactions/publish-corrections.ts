import { setTimeout as delay } from 'node:timers/promises';
import { type Bus, subjects } from '@sluice/bus';
import type { Logger } from '@sluice/logging';
import type { Database } from '@sluice/read-model';
import { type UsageCorrection, writeCorrection } from '@sluice/usage-facts';
import { correctedUsage, expiredUsage } from '../messages/corrected-usage.ts';
import { readUnpublishedCorrections } from '../queries/read-corrections.ts';
import { readUnpublishedExpiries } from '../queries/read-expiries.ts';

export interface PublishCorrectionsOptions {
  readonly bus: Pick<Bus, 'publishFact'>;
  readonly database: Database;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

const batchMax = 100;
const intervalMs = 1_000;

const mark = `UPDATE corrections SET published_at = now() WHERE correction_id = ANY($1)`;
const markExpiries = `UPDATE estimates SET expiry_published_at = now() WHERE usage_id = ANY($1)`;

/**
 * Publishes each correction and each expiry of suspense at least once, the oldest first, until the signal aborts. Their
 * tables are the outbox: commands of an operator write there too, without a bus. One that is published twice has the
 * same id both times.
 */
export async function publishCorrections(options: PublishCorrectionsOptions): Promise<void> {
  const { logger, signal } = options;
  while (!signal.aborted) {
    let published = 0;
    try {
      // An expiry is followed by the correction of the same usage, never the other way round.
      published = await publishExpiries(options);
      published = Math.max(published, await publishBatch(options));
    } catch (error) {
      logger.warn('corrections wait to be published', { error });
    }
    if (published < batchMax) await delay(intervalMs, undefined, { signal }).catch(() => {});
  }
}

async function publishExpiries({ bus, database }: PublishCorrectionsOptions): Promise<number> {
  const expiries = await readUnpublishedExpiries(database, batchMax);
  if (expiries.length === 0) return 0;
  await Promise.all(expiries.map((expiry) => publish(bus, expiry, expiredUsage(expiry))));
  const ids = expiries.map(({ usageId }) => usageId);
  await database.query({ name: 'mark-expiries-published', text: markExpiries, values: [ids] });
  return expiries.length;
}

async function publishBatch({ bus, database }: PublishCorrectionsOptions): Promise<number> {
  const corrections = await readUnpublishedCorrections(database, batchMax);
  if (corrections.length === 0) return 0;
  await Promise.all(
    corrections.map((correction) => publish(bus, correction, correctedUsage(correction))),
  );
  const ids = corrections.map(({ correctionId }) => correctionId);
  await database.query({ name: 'mark-corrections-published', text: mark, values: [ids] });
  return corrections.length;
}

async function publish(
  bus: PublishCorrectionsOptions['bus'],
  stored: { readonly accountId: string; readonly correctionId: string },
  correction: UsageCorrection,
): Promise<void> {
  const { accountId } = stored;
  await bus.publishFact(
    subjects.usageCorrected(accountId),
    stored.correctionId,
    writeCorrection(correction),
  );
}
