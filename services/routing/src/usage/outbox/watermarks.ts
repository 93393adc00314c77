import { setTimeout as delay } from 'node:timers/promises';
import type { Bus } from '@sluice/bus';
import type { Logger } from '@sluice/logging';
import type { LedgerCalls } from '../../clients/ledger-calls.ts';
import type { Bundle } from './bundle.ts';
import type { UsageJournal } from '../journal/journal.ts';
import type { Outbox } from './outbox.ts';
import type { Replica } from '../journal/replica.ts';

export interface WatermarkOptions {
  readonly ledger: Pick<LedgerCalls, 'getWatermark'>;
  readonly bus: Pick<Bus, 'holdsFact'>;
  readonly outbox: Outbox;
  readonly journal: Pick<UsageJournal, 'releaseSpool'>;
  readonly replica: Replica;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly intervalMs?: number;
}

const intervalMsDefault = 1_000;
/** A broker that lost what it acknowledged never delivers it: after this time it is asked whether it did. */
const distrustAfterMs = 30_000;
/** Bundles that the broker is asked for in one turn: each answer brings the whole message. */
const askedMax = 64;

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
    await resendLost(options);
    await delay(intervalMs, undefined, { signal }).catch(() => {});
  }
}

async function ask({ ledger, outbox, replica }: WatermarkOptions): Promise<void> {
  for (const epoch of outbox.epochs) {
    const { sequence } = await ledger.getWatermark({ replica: replica.id, epoch });
    outbox.counted(epoch, sequence);
  }
}

/**
 * Sends again what the broker has lost. What it still has is on its way, however far the ledger is behind: a
 * copy would only be more for the ledger to do.
 */
async function resendLost({ bus, outbox, logger }: WatermarkOptions): Promise<void> {
  const doubted = outbox.lastKnownBefore(performance.now() - distrustAfterMs, askedMax);
  const isLost = async ({ id, stored }: Bundle) => {
    if (!stored || !(await bus.holdsFact(id, stored.at))) return true;
    stored.knownAtMs = performance.now();
    return false;
  };
  const answers = await Promise.allSettled(doubted.map(isLost));
  const lost = doubted.filter((_, index) => {
    const answer = answers[index];
    return answer?.status === 'fulfilled' && answer.value;
  });
  const count = outbox.sendAgain(lost);
  if (count > 0) logger.warn('the message bus lost usage facts: they are sent again', { count });
}
