import type { Clock, Logger } from '@sluice/service';
import type { SpendGate } from '@sluice/spend';
import type { Spool } from '@sluice/spool';
import type { UsageJournal } from './journal.ts';
import { interrupted, usageFact } from './outcome.ts';
import { recover } from './recover.ts';
import type { Replica } from './replica.ts';

export interface ResumeOptions {
  readonly spool: Pick<Spool, 'read'>;
  readonly journal: UsageJournal;
  readonly gate: Pick<SpendGate, 'restore'>;
  readonly replica: Replica;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Takes up what an earlier run left: finals go out again and count as pending; an attempt without an
 * end becomes a fact about what is known of it. Resolves when all of that is on disk.
 */
export async function resume(options: ResumeOptions): Promise<void> {
  const { spool, journal, gate, replica, clock, logger } = options;
  const left = await recover(spool);
  const foreign = left.finals.find(({ fact }) => fact.replica !== replica.id);
  if (foreign) throw new Error(`the spool belongs to ${foreign.fact.replica}, not ${replica.id}`);
  for (const { fact, spoolSequence } of left.finals) {
    journal.restore(fact, spoolSequence);
    gate.restore({ ...fact, at: new Date(fact.admittedAt) });
  }
  const settling = left.interrupted.map(({ intent, progress, spoolSequence }) => {
    journal.reopen(intent, spoolSequence);
    const { fact, durable } = journal.settle(
      usageFact(intent, interrupted(intent, progress, clock.now())),
    );
    gate.restore({ ...fact, at: intent.admittedAt });
    return durable;
  });
  await Promise.all(settling);
  if (left.finals.length > 0) logger.info('usage is taken up again', { count: left.finals.length });
  if (settling.length > 0) logger.warn('generations were interrupted', { count: settling.length });
}
