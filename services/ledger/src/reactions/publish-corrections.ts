import { setTimeout as delay } from 'node:timers/promises';
import { type Bus, subjects } from '@sluice/bus';
import type { Logger } from '@sluice/logging';
import type { Database } from '@sluice/read-model';
import { correctedUsage } from '../messages/corrected-usage.ts';
import {
  readUnpublishedCorrections,
  type StoredCorrection,
} from '../queries/read-unpublished-corrections.ts';

export interface PublishCorrectionsOptions {
  readonly bus: Pick<Bus, 'publishFact'>;
  readonly database: Database;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

const batchMax = 100;
const intervalMs = 1_000;

const mark = `UPDATE corrections SET published_at = now() WHERE correction_id = ANY($1)`;

/**
 * Publishes each correction at least once, the oldest first, until the signal aborts. The table of corrections is the
 * outbox: commands of an operator write there too, without a bus. A correction that is published twice has the same
 * id both times.
 */
export async function publishCorrections(options: PublishCorrectionsOptions): Promise<void> {
  const { logger, signal } = options;
  while (!signal.aborted) {
    let published = 0;
    try {
      published = await publishBatch(options);
    } catch (error) {
      logger.warn('corrections wait to be published', { error });
    }
    if (published < batchMax) await delay(intervalMs, undefined, { signal }).catch(() => {});
  }
}

async function publishBatch({ bus, database }: PublishCorrectionsOptions): Promise<number> {
  const corrections = await readUnpublishedCorrections(database, batchMax);
  if (corrections.length === 0) return 0;
  await Promise.all(corrections.map((correction) => publish(bus, correction)));
  const ids = corrections.map(({ correctionId }) => correctionId);
  await database.query({ name: 'mark-corrections-published', text: mark, values: [ids] });
  return corrections.length;
}

async function publish(
  bus: PublishCorrectionsOptions['bus'],
  correction: StoredCorrection,
): Promise<void> {
  const { accountId } = correction;
  const message = correctedUsage(correction);
  await bus.publishFact(subjects.usageCorrected(accountId), correction.correctionId, message);
}
