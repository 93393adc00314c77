import {
  BACKWARDS,
  END,
  FORWARDS,
  UnknownError,
  type AllStreamRecordedEvent,
  type EventStoreDBClient,
} from '@eventstore/db-client';
import { Fault } from '@sluice/errors';
import { comparePositions, type EventMark, type EventStore } from '@sluice/es';
import { isTransient, toFault, Unanswered } from './failure.ts';
import type { Standing } from './standing.ts';
import { backOff, within } from './wait.ts';

/** The server ends the call after this time. */
const deadlineMs = 2_000;
/** Bounds the wait if not even the end of the call arrives. */
const answerTimeoutMs = 2_500;
const retryForMs = 5_000;
const backoffMsMax = 500;

type OneEvent = Parameters<EventStoreDBClient['readAll']>[0];

/** Looks at single places of `$all`, at the leader: a follower may not have what another node has shown. */
export function allReader(
  client: EventStoreDBClient,
  ended: AbortSignal,
  standing: Pick<Standing, 'heard' | 'failed'>,
): Pick<EventStore, 'end' | 'eventAt'> {
  /** Its caller may ask nothing else while this fails: readiness has to hear of it from here. */
  const ask = async (from: OneEvent) => {
    const startedMs = Date.now();
    try {
      const found = await within(firstEvent(client, from), answerTimeoutMs);
      standing.heard('readAll');
      return found;
    } catch (error) {
      const failure = error instanceof Fault ? new Unanswered() : error;
      if (!ended.aborted) standing.failed('readAll', failure, startedMs);
      throw error;
    }
  };
  const readOne = async (from: OneEvent) => await retried(ended, async () => await ask(from));
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
  const options = { ...from, maxCount: 1, requiresLeader: true, deadline: deadlineMs };
  const reading = client.readAll(options);
  let mark: EventMark | undefined;
  for await (const { event } of reading) if (event) mark ??= markOf(event);
  return mark;
}

function markOf({ position, id, streamId, type }: AllStreamRecordedEvent): EventMark {
  return { position, id, stream: streamId, type };
}

async function retried<Value>(ended: AbortSignal, ask: () => Promise<Value>): Promise<Value> {
  const giveUpAtMs = performance.now() + retryForMs;
  for (let failures = 0; ; failures++) {
    try {
      return await ask();
    } catch (error) {
      const again = isTransient(error) && performance.now() < giveUpAtMs && !ended.aborted;
      if (!again) throw error;
    }
    await backOff(failures, backoffMsMax, ended);
  }
}

const invalidArgument = 3;

/** A real server fails over such a position with the second text. */
const refusedText = /position|Exception was thrown by handler/i;

/** The server names no exception for a position inside a record, only its own words. */
function isRefusedPosition(error: unknown): boolean {
  if (!(error instanceof UnknownError)) return false;
  return Number(error.code) === invalidArgument || refusedText.test(error.message);
}
