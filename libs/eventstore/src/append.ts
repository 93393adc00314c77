import { Fault } from '@sluice/errors';
import type { AppendResult, EventStore, EventToAppend } from '@sluice/es';
import { proposeAppend } from './append-call.ts';
import { AttemptRoom } from './attempt-room.ts';
import { appendAttempts } from './attempts.ts';
import { callerDeadline } from './caller-deadline.ts';
import type { Connection } from './connection.ts';
import { toFault } from './failure.ts';
import { findAppended } from './find-appended.ts';
import { sharedWork } from './shared-work.ts';
import type { Standing } from './standing.ts';

/** Above every limit of an append that is in use (1 MiB as a rule), below that of a message. */
const eventCharactersMax = 4 * 1024 * 1024;

/**
 * Appends until there is an answer or the caller's deadline has passed. The ids make every attempt the
 * same append, and callers who append the same ids at the same time share it: a real server leaves the
 * second of two such appends without an answer until the first is replicated.
 */
export function appender(
  connection: Connection,
  ended: AbortSignal,
  standing: Standing,
): EventStore['append'] {
  const room = new AttemptRoom();
  const share = sharedWork<AppendResult>();
  return async (stream, events, expected, signal) => {
    if (events.length === 0)
      throw new Fault('invalid_request', { message: 'An append needs events' });
    for (const event of events) requireSendable(event);
    if (signal?.aborted) throw new Fault('unavailable');
    const ids = events.map(({ id }) => id);
    const deadline = callerDeadline(signal, ended);
    const attempting = {
      connection,
      room,
      standing,
      findAppended: () => findAppended(connection.client, { stream, ids, expected }),
    };
    const proposed = proposeAppend(stream, events, expected);
    const work = (stop: AbortSignal) => appendAttempts(attempting, proposed, stop);
    try {
      return await share([stream, ...ids].join('\n'), work, deadline.signal);
    } catch (error) {
      throw toFault(error);
    } finally {
      deadline.clear();
    }
  };
}

/** A message that the server cannot take would end the call with an error that says nothing. */
function requireSendable({ data, metadata }: EventToAppend): void {
  const characters = JSON.stringify(data).length + JSON.stringify(metadata).length;
  if (characters <= eventCharactersMax) return;
  throw new Fault('payload_too_large', { message: 'An event is too large for the event store' });
}
