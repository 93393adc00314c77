import type { Clock, Logger } from '@sluice/service';
import type { Spool } from '@sluice/spool';
import type { UsageJournal } from './journal.ts';
import { interrupted, usageFact } from './outcome.ts';
import { recover } from './recover.ts';
import type { Replica } from './replica.ts';

export interface ResumeOptions {
  readonly spool: Pick<Spool, 'read'>;
  readonly journal: UsageJournal;
  readonly replica: Replica;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Takes up what an earlier run left: finals go out again; an attempt without an end becomes a fact
 * about what is known of it. The leases of that run pay for both. Resolves when all is on disk.
 */
export async function resume(options: ResumeOptions): Promise<void> {
  const { spool, journal, replica, clock, logger } = options;
  const left = await recover(spool);
  const foreign = left.finals.find(({ fact }) => fact.replica !== replica.id);
  if (foreign) throw new Error(`the spool belongs to ${foreign.fact.replica}, not ${replica.id}`);
  for (const { fact, spoolSequence } of left.finals) journal.restore(fact, spoolSequence);
  const settling = left.interrupted.map(({ intent, progress, spoolSequence }) => {
    journal.reopen(intent, spoolSequence);
    return journal.settle(usageFact(intent, interrupted(intent, progress, clock.now()))).durable;
  });
  await Promise.all(settling);
  if (left.finals.length > 0) logger.info('usage is taken up again', { count: left.finals.length });
  if (settling.length > 0) logger.warn('generations were interrupted', { count: settling.length });
}
