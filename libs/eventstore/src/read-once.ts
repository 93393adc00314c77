import type { EventStoreDBClient, ReadStreamOptions } from '@eventstore/db-client';
import type { RecordedEvent } from '@sluice/es';
import { recorded } from './recorded.ts';
import { within } from './wait.ts';

/** A read without a message for this long is started again. */
const eventTimeoutMs = 1_000;

/** One read, without a second try. Throws `Unanswered` when it hangs or the signal aborts. */
export async function* readOnce(
  client: EventStoreDBClient,
  stream: string,
  options: ReadStreamOptions,
  { timeoutMs = eventTimeoutMs, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
): AsyncGenerator<RecordedEvent> {
  const reading = client.readStream(stream, options);
  const events = reading[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await within(events.next(), timeoutMs, signal);
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
    // The call has ended with an error that its reader already received.
  }
}
