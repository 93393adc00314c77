import type { StreamPart } from '@sluice/inference';
import { finishPart } from '../finish-part.ts';
import { asObject } from '../json-reader.ts';
import type { Step } from '../translation.ts';
import { cutPart, malformedPart } from '../upstream-error.ts';
import { unreadUsage } from '../usage-counts.ts';
import { responsesFailure, responsesStreamError } from './errors.ts';
import { responsesFinishReason } from './finish-reason.ts';
import { responsesUsage } from './usage.ts';
import type { ProseKind, ResponsesEvent, WireItem, WireProse, WireResponse } from './wire.ts';

/** Where a response stream is. */
export interface ResponsesState {
  readonly started: boolean;
  readonly nextPart: number;
  /** By `output_index`; an item that is done stays, so that nothing adds to it. */
  readonly items: ReadonlyMap<number, ItemState>;
  readonly hasToolCalls: boolean;
  /** `finish` or `error` was told: nothing counts any more. */
  readonly ended: boolean;
}

interface ItemState {
  readonly done: boolean;
  /** The texts of the item that have begun, by place. */
  readonly texts: ReadonlyMap<string, { readonly part: number; readonly kind: ProseKind }>;
  readonly call: { readonly part: number; readonly hasArguments: boolean } | undefined;
}

const emptyItem: ItemState = { done: false, texts: new Map(), call: undefined };

/** More output items, or texts in them, than this is an attack, not an answer. */
const partsMax = 1_024;

export const initialResponsesState: ResponsesState = {
  started: false,
  nextPart: 0,
  items: new Map(),
  hasToolCalls: false,
  ended: false,
};

/** What one event of the stream says, in parts. A text begins with its first character. */
export function responsesStep(state: ResponsesState, event: ResponsesEvent): Step<ResponsesState> {
  if (state.ended) return [state, []];
  switch (event.type) {
    case 'started':
      return started(state, event.id);
    case 'item-added':
      return itemStep(state, event.index, (next, parts) =>
        event.item.type === 'function-call' ? beginCall(next, event, parts) : next,
      );
    case 'prose-delta':
      return itemStep(state, event.index, (next, parts) =>
        addText(next, event.index, { ...event, text: event.delta }, parts),
      );
    case 'arguments-delta':
      return itemStep(state, event.index, (next, parts) =>
        addArguments(next, event.index, event.delta, parts),
      );
    case 'item-done':
      return itemStep(state, event.index, (next, parts) =>
        completeItem(next, event.index, event.item, parts),
      );
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

/** The body ended: without a terminal event it was cut. */
export function responsesEnd(state: ResponsesState): Step<ResponsesState> {
  return state.ended ? [state, []] : [{ ...state, ended: true }, [cutPart()]];
}

function started(state: ResponsesState, upstreamId: string | undefined): Step<ResponsesState> {
  if (state.started) return [state, []];
  return [{ ...state, started: true }, [{ type: 'response-start', upstreamId }]];
}

type Change = (state: ResponsesState, parts: StreamPart[]) => ResponsesState;

/** Applies a change to an item that is not done yet, within the bound. */
function itemStep(state: ResponsesState, index: number, change: Change): Step<ResponsesState> {
  if (state.items.get(index)?.done) return [state, []];
  const parts: StreamPart[] = [];
  const next = change(state, parts);
  if (next.nextPart > partsMax || next.items.size > partsMax) {
    return [{ ...state, ended: true }, [malformedPart()]];
  }
  if (parts.length === 0) return [next, parts];
  const [begun, start] = started(next, undefined);
  return [begun, [...start, ...parts]];
}

function beginCall(
  state: ResponsesState,
  { index, item }: { readonly index: number; readonly item: WireItem },
  parts: StreamPart[],
): ResponsesState {
  const known = state.items.get(index) ?? emptyItem;
  if (item.type !== 'function-call' || known.call) return state;
  const part = state.nextPart;
  parts.push({ type: 'tool-call-start', part, callId: item.callId, name: item.name });
  const next = withItem(state, index, { ...known, call: { part, hasArguments: false } });
  return { ...next, nextPart: part + 1, hasToolCalls: true };
}

function addArguments(
  state: ResponsesState,
  index: number,
  delta: string,
  parts: StreamPart[],
): ResponsesState {
  const item = state.items.get(index);
  if (!item?.call || delta === '') return state;
  parts.push({ type: 'tool-call-delta', part: item.call.part, delta });
  if (item.call.hasArguments) return state;
  return withItem(state, index, { ...item, call: { ...item.call, hasArguments: true } });
}

function addText(
  state: ResponsesState,
  index: number,
  prose: WireProse,
  parts: StreamPart[],
): ResponsesState {
  const item = state.items.get(index) ?? emptyItem;
  const text = item.texts.get(prose.place);
  if (prose.text === '') return state;
  if (text) {
    parts.push({ type: `${text.kind}-delta`, part: text.part, delta: prose.text });
    return state;
  }
  const part = state.nextPart;
  const { kind } = prose;
  parts.push({ type: `${kind}-start`, part }, { type: `${kind}-delta`, part, delta: prose.text });
  const texts = new Map(item.texts).set(prose.place, { part, kind });
  return { ...withItem(state, index, { ...item, texts }), nextPart: part + 1 };
}

/** Closes an item, after telling what came with its end only. A cut item stays open in the parts. */
function completeItem(
  state: ResponsesState,
  index: number,
  item: WireItem,
  parts: StreamPart[],
): ResponsesState {
  if (item.type === 'other') return state;
  const next =
    item.type === 'prose'
      ? item.texts
          .filter(({ place }) => !state.items.get(index)?.texts.has(place))
          .reduce((known, prose) => addText(known, index, prose, parts), state)
      : completeCall(state, index, item, parts);
  const known = next.items.get(index) ?? emptyItem;
  if (item.isWhole) parts.push(...endsOf(known));
  return withItem(next, index, { ...known, done: item.isWhole });
}

function completeCall(
  state: ResponsesState,
  index: number,
  item: Extract<WireItem, { type: 'function-call' }>,
  parts: StreamPart[],
): ResponsesState {
  const next = beginCall(state, { index, item }, parts);
  const hasArguments = next.items.get(index)?.call?.hasArguments ?? false;
  return hasArguments ? next : addArguments(next, index, item.arguments, parts);
}

function endsOf(item: ItemState): readonly StreamPart[] {
  const ends: StreamPart[] = [];
  for (const { kind, part } of item.texts.values()) ends.push({ type: `${kind}-end`, part });
  if (item.call) ends.push({ type: 'tool-call-end', part: item.call.part });
  return ends;
}

function openItems(state: ResponsesState): readonly ItemState[] {
  return [...state.items.values()].filter(({ done }) => !done);
}

function withItem(state: ResponsesState, index: number, item: ItemState): ResponsesState {
  return { ...state, items: new Map(state.items).set(index, item) };
}

function endResponse(state: ResponsesState, response: WireResponse): Step<ResponsesState> {
  const usage = responsesUsage(asObject(response.usage));
  const [begun, start] = started(state, response.id);
  const parts = [...start, ...unreadUsage(response.usage, usage)];
  const ended = { ...begun, ended: true };
  if (response.status === undefined) return [ended, [...parts, malformedPart(usage)]];
  if (response.status === 'failed') {
    const failure = responsesFailure(response.error);
    return [ended, [...parts, { type: 'error', ...failure, usage }]];
  }
  const [told, rest] = tellRest(begun, response);
  if (told.ended) return [told, rest];
  const ends = response.status === 'completed' ? openItems(told).flatMap(endsOf) : [];
  const finish = finishPart({
    reason: responsesFinishReason({
      status: response.status,
      incompleteReason: response.incompleteReason,
      hasToolCalls: told.hasToolCalls,
    }),
    nativeReason: response.incompleteReason ?? response.status,
    usage,
    hasOutput: told.nextPart > 0,
  });
  return [{ ...told, ended: true }, [...parts, ...rest, ...ends, finish]];
}

/** What the terminal event holds and no event before it told: everything, for a whole body. */
function tellRest(state: ResponsesState, response: WireResponse): Step<ResponsesState> {
  const parts: StreamPart[] = [];
  let next = state;
  for (const [index, item] of response.output.entries()) {
    const [changed, told] = itemStep(next, index, (known, more) =>
      completeItem(known, index, item, more),
    );
    next = changed;
    parts.push(...told);
    if (next.ended) break;
  }
  return [next, parts];
}
