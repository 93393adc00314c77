import type { StreamPart } from '@sluice/inference';
import { finishPart } from '../finish-part.ts';
import { asObject } from '../json-reader.ts';
import type { Step } from '../stream-reader.ts';
import { cutPart, malformedPart } from '../upstream-error.ts';
import { unreadUsage } from '../usage-counts.ts';
import { responsesFailure, responsesStreamError } from './errors.ts';
import { responsesFinishReason } from './finish-reason.ts';
import { completeItem, endsOf, isBegun } from './complete-item.ts';
import {
  addAnnotation,
  addArguments,
  addProse,
  addSummary,
  addThought,
  beginItem,
  type Growth,
} from './item-growth.ts';
import type { WireItem, WireResponse } from './items.ts';
import { lateDifferences, reconcileTold } from './told-twice.ts';
import { partsMax, type ResponsesState } from './state.ts';
import { responsesUsage } from './usage.ts';
import type { ResponsesEvent } from './wire.ts';

/** Translates one event of the stream into parts. A text opens with its first character. */
export function responsesStep(state: ResponsesState, event: ResponsesEvent): Step<ResponsesState> {
  if (state.ended) return [state, []];
  switch (event.type) {
    case 'started':
      return started(state, event.id);
    case 'item-added':
      return itemStep(named(state, event), event.index, (growth) => beginItem(growth, event.item));
    case 'prose-delta':
      return textStep(state, event) ?? proseStep(state, event);
    case 'annotation':
      return itemStep(state, event.index, (growth) => addAnnotation(growth, event));
    case 'thought-delta':
      return itemStep(state, event.index, (growth) => addThought(growth, event.delta));
    case 'summary-delta':
      return itemStep(state, event.index, (growth) => addSummary(growth, event.place, event.delta));
    case 'arguments-delta':
      return itemStep(state, event.index, (growth) => addArguments(growth, event.delta));
    case 'item-done':
      return doneStep(named(state, event), event.index, event.item);
    case 'told':
      return itemStep(state, event.index, (growth) => reconcileTold(growth, event.told));
    case 'ended':
      return endResponse(state, event.response);
    case 'error':
      return [
        { ...state, ended: true },
        [{ type: 'error', ...responsesStreamError(event.event), usage: undefined }],
      ];
    case 'malformed':
      return [{ ...state, ended: true }, [malformedPart()]];
    case 'ignored':
      return [state, []];
  }
}

/** Handles the end of the body. Without a terminal event the answer was cut. */
export function responsesEnd(state: ResponsesState): Step<ResponsesState> {
  return state.ended ? [state, []] : [{ ...state, ended: true }, [cutPart()]];
}

function started(state: ResponsesState, upstreamId: string | undefined): Step<ResponsesState> {
  if (state.started) return [state, []];
  return [{ ...state, started: true }, [{ type: 'response-start', upstreamId }]];
}

type ProseDelta = Extract<ResponsesEvent, { type: 'prose-delta' }>;

/** Fast path for most events: more text of an open item copies no state. */
function textStep(
  state: ResponsesState,
  { index, place, delta, logprobs }: ProseDelta,
): Step<ResponsesState> | undefined {
  const item = state.items.get(index);
  const text = item?.texts?.get(place);
  if (!state.started || text?.kind !== 'text' || item?.isDone) return undefined;
  if (delta === '' || logprobs.length > 0) return undefined;
  text.sent.text += delta;
  return [state, [{ type: 'text-delta', part: text.part, delta }]];
}

function proseStep(state: ResponsesState, event: ProseDelta): Step<ResponsesState> {
  const prose = { ...event, text: event.delta };
  return itemStep(state, event.index, (growth) => addProse(growth, prose));
}

/** Notes the place of an item under its id. */
function named(
  state: ResponsesState,
  { index, item }: { readonly index: number; readonly item: WireItem },
): ResponsesState {
  if (item.id === undefined || state.indexes.has(item.id) || state.indexes.size >= partsMax)
    return state;
  return { ...state, indexes: new Map(state.indexes).set(item.id, index) };
}

/** Completes an item, or reports how a whole item differs from the one that has ended. */
function doneStep(state: ResponsesState, index: number, item: WireItem): Step<ResponsesState> {
  const known = state.items.get(index);
  if (known?.isDone) return [state, lateDifferences(known, item)];
  return itemStep(state, index, (growth) => completeItem(growth, item));
}

/** Applies a change to an item that is not done yet, within the bound. */
function itemStep(
  state: ResponsesState,
  index: number,
  change: (growth: Growth) => void,
): Step<ResponsesState> {
  const known = state.items.get(index);
  if (known?.isDone) return [state, []];
  const growth: Growth = {
    item: known ?? {},
    nextPart: state.nextPart,
    hasToolCalls: state.hasToolCalls,
    isMalformed: false,
    parts: [],
  };
  change(growth);
  const items = new Map(state.items).set(index, growth.item);
  const { nextPart, hasToolCalls, parts } = growth;
  const next = { ...state, items, nextPart, hasToolCalls };
  if (growth.isMalformed || nextPart > partsMax || items.size > partsMax)
    return [{ ...state, ended: true }, [malformedPart()]];
  if (parts.length === 0 || next.started) return [next, parts];
  const [begun, start] = started(next, undefined);
  return [begun, [...start, ...parts]];
}

function endResponse(state: ResponsesState, response: WireResponse): Step<ResponsesState> {
  const usage = responsesUsage(asObject(response.usage));
  const [begun, start] = started(state, response.id);
  const parts = [...start, ...unreadUsage(response.usage, usage)];
  const endedBy = (last: StreamPart): Step<ResponsesState> => [
    { ...begun, ended: true },
    [...parts, last],
  ];
  if (response.status === undefined) return endedBy(malformedPart(usage));
  if (response.status === 'failed')
    return endedBy({ type: 'error', ...responsesFailure(response.error), usage });
  const [completed, rest] = addRest(begun, response);
  if (completed.ended) return [completed, [...parts, ...rest.slice(0, -1), malformedPart(usage)]];
  const ends = response.status === 'completed' ? endsOfOpen(completed) : nothing;
  const finish = finishPart({
    reason: responsesFinishReason({
      status: response.status,
      incompleteReason: response.incompleteReason,
      hasToolCalls: completed.hasToolCalls,
    }),
    nativeReason: response.incompleteReason ?? response.status,
    usage,
    hasOutput: completed.nextPart > 0,
    serviceTier: response.serviceTier,
  });
  return [{ ...completed, ended: true }, parts.concat(rest, ends, finish)];
}

const nothing: readonly never[] = [];

/** Returns the ends of the items that the upstream began and did not end. A whole body has none. */
function endsOfOpen({ items }: ResponsesState): readonly StreamPart[] {
  let ends: readonly StreamPart[] = nothing;
  for (const item of items.values())
    if (isBegun(item) && !item.isDone) ends = [...ends, ...endsOf(item)];
  return ends;
}

/** Emits the content of the terminal event that earlier events did not contain. For a whole body that is all of it. */
function addRest(state: ResponsesState, response: WireResponse): Step<ResponsesState> {
  let parts: readonly StreamPart[] = nothing;
  let next = state;
  let index = 0;
  for (const item of response.output) {
    const known = item.id === undefined ? undefined : state.indexes.get(item.id);
    const [changed, added] = doneStep(next, known ?? index, item);
    index += 1;
    next = changed;
    parts = parts.length === 0 ? added : [...parts, ...added];
    if (next.ended) break;
  }
  return [next, parts];
}
