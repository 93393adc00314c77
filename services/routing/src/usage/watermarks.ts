import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@sluice/service';
import type { LedgerCalls } from '../spend/ledger.ts';
import type { UsageJournal } from './journal.ts';
import type { Outbox } from './outbox.ts';
import type { Replica } from './replica.ts';

export interface WatermarkOptions {
  readonly ledger: Pick<LedgerCalls, 'getWatermark'>;
  readonly outbox: Outbox;
  readonly journal: Pick<UsageJournal, 'releaseSpool'>;
  readonly replica: Replica;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly intervalMs?: number;
}

const intervalMsDefault = 1_000;
/** A broker that lost what it acknowledged never delivers it: after this time it is sent again. */
const distrustAfterMs = 30_000;

/** Asks the ledger how far it is, lets go of the spool up to there, and sends again what got lost. */
export async function followWatermarks(options: WatermarkOptions): Promise<void> {
  const { outbox, journal, logger, signal, intervalMs = intervalMsDefault } = options;
  while (!signal.aborted) {
    try {
      await ask(options);
      await journal.releaseSpool();
    } catch (error) {
      if (outbox.size > 0)
        logger.warn('the ledger does not tell how far it is', { count: outbox.size, error });
    }
    const count = outbox.distrust(performance.now() - distrustAfterMs);
    if (count > 0) logger.warn('usage facts are sent again', { count });
    await delay(intervalMs, undefined, { signal }).catch(() => {});
  }
}

async function ask({ ledger, outbox, replica }: WatermarkOptions): Promise<void> {
  for (const epoch of outbox.epochs) {
    const { sequence } = await ledger.getWatermark({ replica: replica.id, epoch });
    outbox.counted(epoch, sequence);
  }
}
