import { setTimeout as delay } from 'node:timers/promises';
import type { Bus } from '@sluice/bus';
import type { Logger } from '@sluice/logging';
import type { Spool } from '@sluice/spool';
import type { LedgerCalls } from '../../clients/ledger-calls.ts';
import type { Bundle } from './bundle.ts';
import type { UsageJournal } from '../journal/journal.ts';
import type { Outbox } from './outbox.ts';
import { readAgain } from './read-again.ts';
import type { Replica } from '../journal/replica.ts';

export interface WatermarkOptions {
  readonly ledger: Pick<LedgerCalls, 'getWatermark'>;
  readonly bus: Pick<Bus, 'holdsFact'>;
  readonly outbox: Outbox;
  readonly journal: Pick<UsageJournal, 'releaseSpool'>;
  readonly spool: Pick<Spool, 'read'>;
  readonly replica: Replica;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly intervalMs?: number;
  /** Called after each question to the ledger, also after one without an answer. */
  readonly onAsked?: () => void;
}

const intervalMsDefault = 500;
/** A broker may lose a message that it acknowledged. After this time the replica checks that the broker has it. */
const distrustAfterMs = 30_000;
/** Bundles that are checked in one round. Each answer has the whole message. */
const askedMax = 64;

/** Reads the ledger's watermarks, frees the spool up to them, and sends lost bundles again. */
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
    options.onAsked?.();
    await resendLost(options).catch((error: unknown) =>
      logger.error('lost usage facts cannot be sent again', { error }),
    );
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
 * Sends the bundles again that the broker has lost. A bundle that the broker still has is not repeated, even if the
 * ledger is far behind.
 */
async function resendLost({ bus, outbox, spool, logger }: WatermarkOptions): Promise<void> {
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
  await readAgain(spool, lost);
  const count = outbox.sendAgain(lost);
  if (count > 0) logger.warn('the message bus lost usage facts: they are sent again', { count });
}
