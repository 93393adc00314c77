import {
  type Bus,
  type ConsumerPlace,
  contentStream,
  endStream,
  failureStream,
  usageStream,
} from '@sluice/bus';
import type { Clock } from '@sluice/clock-and-ids';
import type { Logger } from '@sluice/logging';
import type { Database } from '@sluice/read-model';
import type { Metrics } from '@sluice/telemetry';
import { lockPlace, notePlace } from '../store/bus-places.ts';
import { noteGap } from '../store/bus-reads.ts';

export interface NotePlacesOptions {
  readonly bus: Pick<Bus, 'placeOf'>;
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'observerGaps'>;
}

/** The streams from which the observer takes what it cannot get again, and the metric of their gaps. */
const watched = [
  { stream: usageStream.name, durable: 'observer-usage', of: 'generations' },
  { stream: failureStream.name, durable: 'observer-failures', of: 'generations' },
  { stream: endStream.name, durable: 'observer-ends', of: 'contents' },
  { stream: contentStream.name, durable: 'observer-contents', of: 'stored_contents' },
] as const;

/**
 * Notes how far the observer has come in each stream, and reports a broker that lost messages: its disk was replaced or
 * restored. Which of them the observer had not taken is not known.
 */
export async function notePlaces(options: NotePlacesOptions): Promise<void> {
  for (const one of watched) await noteOne(options, one);
}

async function noteOne(
  { bus, database, clock, logger, metrics }: NotePlacesOptions,
  { stream, durable, of }: (typeof watched)[number],
): Promise<void> {
  await database.transaction(async (transaction) => {
    // The lock comes first, so that no replica notes an older place than another one.
    const before = await lockPlace(transaction, stream);
    const place = await bus.placeOf({ stream, durable });
    if (!place) return;
    await notePlace(transaction, stream, place);
    if (!before || !isLoss(before, place)) return;
    if (of === 'generations') await noteGap(transaction, clock.now());
    metrics.observerGaps.add(1, { of });
    logger.error(
      'the bus lost messages: some of those that the observer had not taken may be gone',
      {
        stream,
        count: before.pending,
      },
    );
  });
}

function isLoss(before: ConsumerPlace, now: ConsumerPlace): boolean {
  return now.created !== before.created || now.lastSequence < before.lastSequence;
}
