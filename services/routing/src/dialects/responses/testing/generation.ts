import type { StreamPart } from '@sluice/inference';
import type { ResponseEvent } from '../write/event.ts';
import {
  advanceResponse,
  beginResponse,
  endResponse,
  type ResponseState,
} from '../write/events.ts';
import type { Settlement } from '../../dialect.ts';
import type { ResponseHead, ResponseObject } from '../write/response-object.ts';
import { usageReport } from '../../../request/usage-report.ts';
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

/** 1 USD for a million input tokens, 0.1 for cached ones, 2 for output; 1 nano-USD a request. */
export const settlement: Settlement = {
  usage: usageReport(
    { inputTokens: 10, cachedTokens: 4, outputTokens: 5, reasoningTokens: 2 },
    {
      inputTokenAttoUsd: 1_000_000_000_000n,
      cachedTokenAttoUsd: 100_000_000_000n,
      outputTokenAttoUsd: 2_000_000_000_000n,
      requestAttoUsd: 1_000_000_000_000n,
    },
    { isByok: false, costNanoUsd: 17_400n, feeNanoUsd: 0n },
  ),
  completedAt: 1_760_000_009,
};

/** Returns the response after these parts. */
export function stateAfter(parts: readonly StreamPart[]): ResponseState {
  return tellAll(parts)[0];
}

/** Returns all events of a generation, with the terminal event if the last part is given. */
export function eventsOf(parts: readonly StreamPart[]): readonly ResponseEvent[] {
  const [state, events] = tellAll(parts);
  return state.outcome ? [...events, ...endResponse(state, settlement)[1]] : events;
}

/** Returns the snapshot of the terminal event. */
export function terminalOf(parts: readonly StreamPart[]): ResponseObject {
  const last = eventsOf(parts).at(-1);
  if (!last || !('response' in last)) throw new Error('no terminal event');
  return last.response;
}

function tellAll(parts: readonly StreamPart[]): readonly [ResponseState, readonly ResponseEvent[]] {
  const [first, opening] = beginResponse(head, (prefix, index) => `${prefix}_${String(index)}`);
  let state = first;
  const events = [...opening];
  for (const part of parts) {
    const [next, added] = advanceResponse(state, part);
    state = next;
    events.push(...added);
  }
  return [state, events];
}
