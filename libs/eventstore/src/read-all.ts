import {
  BACKWARDS,
  END,
  FORWARDS,
  UnknownError,
  type AllStreamRecordedEvent,
  type EventStoreDBClient,
} from '@eventstore/db-client';
import { comparePositions, type EventMark, type EventStore } from '@sluice/es';
import type { Connection } from './connection.ts';
import { isTransient, isUnanswered, toFault } from './failure.ts';
import type { Standing } from './standing.ts';
import { steadyUnixMs } from './steady-time.ts';
import { backOff, within } from './wait.ts';

/** The server ends the call after this time. */
const deadlineMs = 2_000;
/** A probe is one attempt: its caller is answered within a second. */
const probeMsMax = 800;
/** Holds when not even the end of the call arrives. */
const graceMs = 500;
const retryForMs = 5_000;
const backoffMsMax = 500;

type OneEvent = Parameters<EventStoreDBClient['readAll']>[0];

/**
 * Looks at single places of `$all`, at the leader: a follower may not have what another node has shown. While the
 * store is known to be away this is refused as reads are; the comparison of logs asks again, and so probes too.
 */
export function allReader(
  connection: Connection,
  ended: AbortSignal,
  standing: Standing,
): Pick<EventStore, 'end' | 'eventAt'> {
  /** Reports failures to readiness: the caller may make no other call while this one fails. */
  const ask = async (from: OneEvent, deadline: number) => {
    const startedMs = steadyUnixMs();
    const { client } = connection;
    try {
      const finding = firstEvent(client, { ...from, deadline });
      const found = await within(finding, deadline + graceMs, ended);
      standing.heard('readAll');
      return found;
    } catch (error) {
      if (!ended.aborted) standing.failed('readAll', error, startedMs);
      if (isUnanswered(error) && standing.isConnectionLost()) connection.leave(client);
      throw error;
    }
  };
  const readOne = async (from: OneEvent) => {
    if (standing.admitRead() === 'probe') return await ask(from, probeMsMax);
    const giveUpAtMs = performance.now() + retryForMs;
    for (let failures = 0; ; failures++) {
      try {
        return await ask(from, deadlineMs);
      } catch (error) {
        const isOver = performance.now() >= giveUpAtMs || ended.aborted || standing.isSilent();
        if (isOver || !isTransient(error)) throw error;
      }
      await backOff(failures, backoffMsMax, ended);
    }
  };
  const end = async () => {
    try {
      return await readOne({ direction: BACKWARDS, fromPosition: END });
    } catch (error) {
      throw toFault(error);
    }
  };
  return {
    end,
    async eventAt(position) {
      try {
        const found = await readOne({ direction: FORWARDS, fromPosition: position });
        // The server answers with the next event if nothing lies at the position.
        return found && comparePositions(found.position, position) === 0 ? found : undefined;
      } catch (error) {
        if (!isRefusedPosition(error)) throw toFault(error);
        // The server's answer would fit other failures too: then the end cannot be read either.
        await end();
        return undefined;
      }
    },
  };
}

async function firstEvent(
  client: EventStoreDBClient,
  from: OneEvent,
): Promise<EventMark | undefined> {
  const options = { ...from, maxCount: 1, requiresLeader: true };
  const reading = client.readAll(options);
  let mark: EventMark | undefined;
  for await (const { event } of reading) if (event) mark ??= markOf(event);
  return mark;
}

function markOf({ position, id, streamId, type }: AllStreamRecordedEvent): EventMark {
  return { position, id, stream: streamId, type };
}

const invalidArgument = 3;

/** A real server fails over such a position with the second text. */
const refusedText = /position|Exception was thrown by handler/i;

/** The server names no exception for a position inside a record, only its own words. */
function isRefusedPosition(error: unknown): boolean {
  if (!(error instanceof UnknownError)) return false;
  return Number(error.code) === invalidArgument || refusedText.test(error.message);
}
