import { StreamNotFoundError, type EventStoreDBClient } from '@eventstore/db-client';
import type { EventStore, RecordedEvent } from '@sluice/es';
import { isTransient, toFault } from './failure.ts';
import { recorded } from './recorded.ts';
import { backOff, within } from './wait.ts';

const eventTimeoutMs = 10_000;
const backoffMsMax = 500;
const retryForMs = 5_000;

/** Goes on behind the last event that was delivered when the store is away for a moment. */
export function reader(client: EventStoreDBClient, ended: AbortSignal): EventStore['read'] {
  return async function* read(stream, fromRevision = 0n) {
    let next = fromRevision;
    let giveUpAtMs = performance.now() + retryForMs;
    for (let failures = 0; ; failures++) {
      try {
        for await (const event of readOnce(client, stream, next)) {
          next = event.revision + 1n;
          yield event;
          failures = 0;
          giveUpAtMs = performance.now() + retryForMs;
        }
        return;
      } catch (error) {
        if (error instanceof StreamNotFoundError) return;
        const again = isTransient(error) && performance.now() < giveUpAtMs && !ended.aborted;
        if (!again) throw toFault(error);
      }
      await backOff(failures, backoffMsMax, ended);
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
    await drain(events);
  }
}

/**
 * Reads what the call has buffered. A call that the server has ended comes to its end only when it is read
 * to it: otherwise the client keeps it for its whole life, and waits for it when it is disposed of.
 */
async function drain(events: AsyncIterator<unknown>): Promise<void> {
  try {
    while ((await within(events.next(), eventTimeoutMs)).done !== true);
  } catch {
    // The call has ended, with an error that the reader of its events was told.
  }
}
