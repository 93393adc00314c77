import { setTimeout as delay } from 'node:timers/promises';
import { subjects, type Bus } from '@sluice/bus';
import type { Logger } from '@sluice/service';
import type { Outbox, Waiting } from './outbox.ts';
import { factText } from './record.ts';

export interface PublisherOptions {
  readonly outbox: Outbox;
  readonly bus: Pick<Bus, 'publishFact'>;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Facts on their way at one time. */
const batchMax = 256;
/** What comes within it goes out together: a packet costs more than what it carries. */
const lingerMs = 10;
const backoffMsMin = 100;
const backoffMsMax = 5_000;

/** Hands facts to the bus in order, for ever: until the signal, nothing is given up. */
export async function publishUsage(options: PublisherOptions): Promise<void> {
  const { outbox, logger, signal } = options;
  let backoffMs = backoffMsMin;
  while (!signal.aborted) {
    const batch = outbox.take(batchMax);
    if (batch.length === 0) {
      await outbox.rung(signal);
      await delay(lingerMs, undefined, { signal }).catch(() => {});
      continue;
    }
    const results = await Promise.allSettled(batch.map((waiting) => publish(waiting, options)));
    outbox.putBack(batch.filter(({ publishedAtMs }) => publishedAtMs === undefined));
    const failed = results.find((result) => result.status === 'rejected');
    if (!failed) {
      backoffMs = backoffMsMin;
      if (batch.length < batchMax) await delay(lingerMs, undefined, { signal }).catch(() => {});
      continue;
    }
    logger.warn('usage facts wait for the bus', { count: outbox.size, error: failed.reason });
    await delay(backoffMs, undefined, { signal }).catch(() => {});
    backoffMs = Math.min(backoffMsMax, backoffMs * 2);
  }
}

async function publish(waiting: Waiting, { bus }: PublisherOptions): Promise<void> {
  const { fact, text = factText(fact) } = waiting;
  await bus.publishFact(subjects.usageRecorded(fact.accountId), fact.usageId, Buffer.from(text));
  waiting.text = undefined;
  waiting.publishedAtMs = performance.now();
}
