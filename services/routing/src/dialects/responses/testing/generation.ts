import { isLast, type StreamPart } from '@sluice/inference';
import type { ResponseEvent } from '../write/event.ts';
import {
  advanceResponse,
  beginEvents,
  beginSilent,
  endResponse,
  type ResponseState,
} from '../write/events.ts';
import { settlement } from '../../testing/write-answer.ts';
import type { ResponseHead, ResponseObject } from '../write/response-object.ts';
import { echoRequest } from '../echo/echo-request.ts';

/** The repeated fields of a request without options. */
export const usualEcho = echoRequest({ model: 'maker/model', input: 'hi' }, []);

export const head: ResponseHead = {
  id: 'resp_1',
  model: 'maker/model',
  createdAt: 1_760_000_000,
  echo: usualEcho,
  tellsEncrypted: false,
  tellsSummaries: false,
};

/** Returns the response after these parts. */
export function stateAfter(parts: readonly StreamPart[]): ResponseState {
  return tellAll(parts)[0];
}

/** Returns all events of a generation, with the terminal event if the last part is given. */
export function eventsOf(parts: readonly StreamPart[]): readonly ResponseEvent[] {
  return tellAll(parts)[1];
}

/** Returns the snapshot of the terminal event. */
export function terminalOf(parts: readonly StreamPart[]): ResponseObject {
  const last = eventsOf(parts).at(-1);
  if (!last || !('response' in last)) throw new Error('no terminal event');
  return last.response;
}

function tellAll(parts: readonly StreamPart[]): readonly [ResponseState, readonly ResponseEvent[]] {
  const state = beginSilent(head, (prefix, index) => `${prefix}_${String(index)}`);
  const events = [...beginEvents(state)];
  for (const part of parts)
    events.push(
      ...(isLast(part)
        ? endResponse(state, { ...settlement, last: part })
        : advanceResponse(state, part)),
    );
  return [state, events];
}
