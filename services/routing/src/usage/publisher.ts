import { setTimeout as delay } from 'node:timers/promises';
import { subjects, type Bus } from '@sluice/bus';
import type { Logger } from '@sluice/service';
import type { Outbox, Waiting } from './outbox.ts';

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
    const error = await publishAll(batch, options);
    const left = batch.filter(({ publishedAtMs }) => publishedAtMs === undefined);
    if (left.length === 0) {
      backoffMs = backoffMsMin;
      if (batch.length < batchMax) await delay(lingerMs, undefined, { signal }).catch(() => {});
      continue;
    }
    outbox.putBack(left);
    logger.warn('usage facts wait for the bus', { count: outbox.size, error });
    await delay(backoffMs, undefined, { signal }).catch(() => {});
    backoffMs = Math.min(backoffMsMax, backoffMs * 2);
  }
}

/** What is published is marked so. Resolves with why some is not. */
async function publishAll(batch: readonly Waiting[], options: PublisherOptions): Promise<unknown> {
  const publishing = batch.map((waiting) => publish(waiting, options));
  let error: unknown;
  for (const one of publishing) error = (await one) ?? error;
  return error;
}

async function publish(waiting: Waiting, { bus }: PublisherOptions): Promise<unknown> {
  try {
    await bus.publishFact(subjects.usageRecorded(waiting.accountId), waiting.usageId, waiting.json);
    waiting.publishedAtMs = performance.now();
    return undefined;
  } catch (error) {
    return error;
  }
}
