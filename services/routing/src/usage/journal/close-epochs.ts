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
 * Once everything that leases of earlier runs paid for is counted, the ledger may free what those had
 * left. To be started when the spool has been read: until then nobody knows what they paid for.
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
