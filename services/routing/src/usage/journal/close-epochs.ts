import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@sluice/logging';
import type { LedgerCalls } from '../../clients/ledger-calls.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Replica } from './replica.ts';

export interface CloseEpochsOptions {
  readonly ledger: Pick<LedgerCalls, 'closeEpochs'>;
  readonly outbox: Outbox;
  readonly replica: Replica;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly intervalMs?: number;
}

const intervalMsDefault = 500;

/**
 * Lets the ledger free the leases of earlier runs once all usage that they paid for is counted. Start it
 * after the spool has been read: before that, the usage is unknown.
 */
export async function closeEarlierEpochs(options: CloseEpochsOptions): Promise<void> {
  const { ledger, outbox, replica, logger, signal, intervalMs = intervalMsDefault } = options;
  while (!signal.aborted) {
    if (!outbox.waitsForLeasesBefore(replica.epoch))
      try {
        const { id, epoch } = replica;
        const { freedNanoUsd } = await ledger.closeEpochs({ replica: id, epoch });
        if (freedNanoUsd > 0n) logger.info('leases of an earlier run are free again');
        return;
      } catch (error) {
        logger.warn('leases of earlier runs are not closed yet', { error });
      }
    await delay(intervalMs, undefined, { signal }).catch(() => {});
  }
}
