import type { RecordedEvent } from '@sluice/es';

/**
 * Applies each event without waiting for the one before. The statements go out together and
 * PostgreSQL carries them out in the order in which they were sent, which is the order of the events:
 * `apply` must send all of its statements before it waits for anything. Throws when one fails.
 */
export async function eachInOrder(
  events: readonly RecordedEvent[],
  apply: (event: RecordedEvent) => Promise<void>,
): Promise<void> {
  await Promise.all(events.map(async (event) => apply(event)));
}
