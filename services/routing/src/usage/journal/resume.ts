import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@sluice/clock-and-ids';
import type { Logger } from '@sluice/logging';
import type { Spool } from '@sluice/spool';
import type { LedgerCalls } from '../../clients/ledger-calls.ts';
import { admittedOf } from './admission-tally.ts';
import type { UsageJournal } from './journal.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { interrupted } from './outcome.ts';
import type { Admitted } from './record.ts';
import { recover } from './recover.ts';
import type { Replica } from './replica.ts';

/** The time limit for the ledger's answer. After it all facts are sent again. The ledger counts none twice. */
const watermarksWaitMs = 2_000;

export interface ResumeOptions {
  readonly spool: Pick<Spool, 'read'>;
  readonly journal: UsageJournal;
  readonly outbox: Pick<Outbox, 'counted'>;
  readonly ledger: Pick<LedgerCalls, 'getWatermark'>;
  readonly replica: Replica;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** The end of the spool of earlier runs, and the attempts that they left open. */
export interface Resumed {
  readonly spoolSequence: bigint;
  readonly interrupted: readonly Admitted[];
}

/**
 * Resumes the records of an earlier run. Final facts that the ledger has not counted are sent again. An attempt
 * without an end becomes an interrupted fact. The leases of that run pay for both. Resolves when all is on disk.
 */
export async function resume(options: ResumeOptions): Promise<Resumed> {
  const { spool, journal, replica, clock, logger } = options;
  const left = await recover(spool);
  const foreign = left.finals.find(({ fact }) => fact.replica !== replica.id);
  if (foreign) throw new Error(`the spool belongs to ${foreign.fact.replica}, not ${replica.id}`);
  await learnWatermarks(options, new Set(left.finals.map(({ fact }) => fact.epoch)));
  for (const { fact, spoolSequence } of left.finals) journal.restore(fact, spoolSequence);
  journal.began(left.spoolSequence);
  const settling = left.interrupted.map(({ intent, progress, spoolSequence }) => {
    journal.reopen(intent, spoolSequence);
    return journal.settle(intent, interrupted(intent, progress, clock.now())).durable;
  });
  await Promise.all(settling);
  if (left.finals.length > 0) logger.info('usage is taken up again', { count: left.finals.length });
  if (settling.length > 0) logger.warn('generations were interrupted', { count: settling.length });
  return {
    spoolSequence: left.spoolSequence,
    interrupted: left.interrupted.map(({ intent }) => admittedOf(intent)),
  };
}

/** Returns the ledger's watermarks of earlier runs, or none if it does not answer in time. */
async function learnWatermarks(
  { ledger, outbox, replica, logger, signal }: ResumeOptions,
  epochs: ReadonlySet<bigint>,
): Promise<void> {
  if (epochs.size === 0) return;
  const waiting = new AbortController();
  const asked = [...epochs].map(async (epoch) => {
    const { sequence } = await ledger.getWatermark({ replica: replica.id, epoch });
    outbox.counted(epoch, sequence);
  });
  const answered = Promise.all(asked).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  const timeout = { signal: AbortSignal.any([signal, waiting.signal]) };
  const tooLate = delay(watermarksWaitMs, { error: new Error('no answer in time') }, timeout);
  const failure = await Promise.race([answered, tooLate.catch(() => undefined)]);
  waiting.abort();
  if (failure) logger.warn('what the ledger has counted already goes out again', failure);
}
