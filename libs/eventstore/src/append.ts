import { jsonEvent, type EventStoreDBClient, type JSONType } from '@eventstore/db-client';
import { Fault } from '@sluice/errors';
import type { AppendResult, EventStore, EventToAppend } from '@sluice/es';
import { isTransient, toFault } from './failure.ts';
import { inFlight } from './in-flight.ts';
import { backOff, within } from './wait.ts';

/**
 * All appends of a client share one call. With more unwritten messages than its buffer takes (16),
 * the client queues, and a broken connection then rejects promises that nobody holds.
 */
const appendsInFlightMax = 15;
const appendsWaitingMax = 10_000;
/** The client's own deadline is 10 s; this one holds even when nothing comes back at all. */
const answerTimeoutMs = 12_000;
const retryForMs = 5_000;
const backoffMsMax = 500;
/** Above every limit of an append that is in use (1 MiB as a rule), below that of a message. */
const eventCharactersMax = 4 * 1024 * 1024;

/**
 * Tries again while the store is away for a moment: the ids make it the same append. With `any`
 * the store recognises them as long as it remembers, with a revision always.
 */
export function appender(client: EventStoreDBClient, ended: AbortSignal): EventStore['append'] {
  const room = inFlight(appendsInFlightMax, appendsWaitingMax);
  return async (stream, events, expected, signal) => {
    if (events.length === 0)
      throw new Fault('invalid_request', { message: 'An append needs events' });
    for (const event of events) requireSendable(event);
    const proposed = events.map(({ id, type, data, metadata }) =>
      jsonEvent({ id, type, data: asJson(data), metadata: asJson(metadata) }),
    );
    const appendOnce = async (): Promise<AppendResult> => {
      if (signal?.aborted) throw new Fault('timeout');
      const options = { expectedRevision: expected };
      const appending = client.appendToStream(stream, proposed, options);
      const { nextExpectedRevision, position } = await within(appending, answerTimeoutMs);
      if (!position) throw new Error(`appending to ${stream} gave no position`);
      return { revision: nextExpectedRevision, position };
    };
    const giveUpAtMs = performance.now() + retryForMs;
    for (let failures = 0; ; failures++) {
      try {
        return await room.run(appendOnce);
      } catch (error) {
        const again = isTransient(error) && performance.now() < giveUpAtMs && !ended.aborted;
        if (!again) throw toFault(error);
      }
      await backOff(failures, backoffMsMax, ended);
    }
  };
}

/** All appends share one call, and a message that the server cannot take would end it for all of them. */
function requireSendable({ data, metadata }: EventToAppend): void {
  const characters = JSON.stringify(data).length + JSON.stringify(metadata).length;
  if (characters <= eventCharactersMax) return;
  throw new Fault('payload_too_large', { message: 'An event is too large for the event store' });
}

/** The client's type for JSON is narrower than what JSON.stringify takes. */
function asJson(value: object): JSONType {
  return value as JSONType;
}
