import { setTimeout as delay } from 'node:timers/promises';
import { type Bus, type StoredFact, subjects } from '@sluice/bus';
import type { Logger } from '@sluice/logging';
import { type Bundle, bundleJson, noteStored } from './bundle.ts';
import type { Outbox } from './outbox.ts';

export interface PublisherOptions {
  readonly outbox: Outbox;
  readonly bus: Pick<Bus, 'publishFact'>;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Messages in flight. */
const bundlesMax = 256;
/** Approximate bytes in flight. */
const bytesMax = 4_194_304;
/** Messages begin so far apart, because a message costs more than its facts. The first fact waits for nothing. */
const sendEveryMs = 50;
const backoffMsMin = 100;
const backoffMsMax = 5_000;

/** Publishes facts in order and retries without a limit until the signal aborts. */
export async function publishUsage(options: PublisherOptions): Promise<void> {
  const { outbox, logger, signal } = options;
  let backoffMs = backoffMsMin;
  let isBehind = false;
  let sentMs = -Infinity;
  while (!signal.aborted) {
    if (!outbox.hasUnpublished) await outbox.rung(signal);
    const earlyMs = sentMs + sendEveryMs - performance.now();
    if (!isBehind && earlyMs > 0) await delay(earlyMs, undefined, { signal }).catch(() => {});
    const bundles = outbox.take(bundlesMax, bytesMax);
    if (bundles.length === 0) continue;
    sentMs = performance.now();
    isBehind = outbox.hasUnpublished;
    const error = await publishAll(bundles, options);
    const left = bundles.filter(({ stored }) => stored === undefined);
    if (left.length === 0) {
      backoffMs = backoffMsMin;
      continue;
    }
    outbox.putBack(left);
    logger.warn('usage facts wait for the bus', { count: outbox.size, error });
    await delay(backoffMs, undefined, { signal }).catch(() => {});
    backoffMs = Math.min(backoffMsMax, backoffMs * 2);
  }
}

/** Marks published bundles. Resolves with the error of those that are not. */
async function publishAll(bundles: readonly Bundle[], options: PublisherOptions): Promise<unknown> {
  const publishing = bundles.map((bundle) => publish(bundle, options));
  let error: unknown;
  for (const one of publishing) error = (await one) ?? error;
  return error;
}

async function publish(bundle: Bundle, options: PublisherOptions): Promise<unknown> {
  try {
    noteStored(bundle, await send(bundle, options));
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Makes the bytes here, so that no function that awaits the bus retains them. */
function send(bundle: Bundle, { bus }: PublisherOptions): Promise<StoredFact> {
  return bus.publishFact(subjects.usageRecorded(bundle.accountId), bundle.id, bundleJson(bundle));
}
