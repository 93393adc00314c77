import { StreamNotFoundError, type EventStoreDBClient } from '@eventstore/db-client';
import type { EventStore, RecordedEvent } from '@sluice/es';
import { isTransient, toFault } from './failure.ts';
import { recorded } from './recorded.ts';
import { backOff, within } from './wait.ts';

const eventTimeoutMs = 10_000;
const retriesMax = 5;

/** Goes on behind the last event that was delivered when the store is away for a moment. */
export function reader(client: EventStoreDBClient, ended: AbortSignal): EventStore['read'] {
  return async function* read(stream, fromRevision = 0n) {
    let next = fromRevision;
    for (let failures = 0; ; failures++) {
      try {
        for await (const event of readOnce(client, stream, next)) {
          next = event.revision + 1n;
          failures = 0;
          yield event;
        }
        return;
      } catch (error) {
        if (error instanceof StreamNotFoundError) return;
        if (!isTransient(error) || failures >= retriesMax || ended.aborted) throw toFault(error);
      }
      await backOff(failures, ended);
    }
  };
}

async function* readOnce(
  client: EventStoreDBClient,
  stream: string,
  fromRevision: bigint,
): AsyncGenerator<RecordedEvent> {
  const reading = client.readStream(stream, { fromRevision });
  const events = reading[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await within(events.next(), eventTimeoutMs);
      if (done) return;
      if (value.event) yield recorded(value.event);
    }
  } finally {
    // The client's own stream goes on reading otherwise, also when the loop was left early.
    reading.on('error', () => {});
    await reading.cancel();
  }
}
