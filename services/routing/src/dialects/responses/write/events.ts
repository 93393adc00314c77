import assert from 'node:assert/strict';
import type { AnswerPart, LastPart, StreamPart } from '@sluice/inference';
import type { SentBody, Settlement } from '../../dialect.ts';
import type { EventBody, ResponseEvent } from './event.ts';
import {
  corrected,
  grow,
  openingOf,
  type GrowingPart,
  type Opening,
  type TextDelta,
} from './grow-item.ts';
import { closingEvents, openingEvents, progressEvent } from './item-events.ts';
import { outcomeOf, type Outcome } from './outcome.ts';
import type { ItemStatus, OutputItem } from './output-item.ts';
import { isSuspended, suspended, withTranscript } from './worker-items.ts';
import {
  endedResponse,
  openResponse,
  type ResponseHead,
  type ResponseObject,
} from './response-object.ts';
import type { ItemIds } from './response-head.ts';
import { thoughtEnd, withReplay } from './thought-events.ts';

/** A response in progress. `advanceResponse` mutates it in place. Do not use the old reference afterwards. */
export interface ResponseState {
  readonly head: ResponseHead;
  readonly itemId: ItemIds;
  readonly nextSequenceNumber: number;
  /** Items by `output_index`. */
  readonly items: readonly OutputItem[];
  /** undefined until the response has ended. */
  readonly outcome: Outcome | undefined;
  /** False for a response that is not streamed. No events are made for it. */
  readonly emitsEvents: boolean;
}

type Change = readonly [ResponseState, readonly ResponseEvent[]];

const nothing: readonly [] = [];

/** Begins a streamed response. The first events have the bodies that providers got so far. */
export function beginResponse(
  head: ResponseHead,
  itemId: ItemIds,
  sent: readonly SentBody[] = [],
): Change {
  const state = { ...beginSilent(head, itemId), emitsEvents: true };
  const response = openResponse(head, []);
  return emit(state, [
    ...sent.map(debugEvent),
    { type: 'response.created', response },
    { type: 'response.in_progress', response },
  ]);
}

/** Begins a response that emits no events, for a client that waits for the whole. */
export function beginSilent(head: ResponseHead, itemId: ItemIds): ResponseState {
  return {
    head,
    itemId,
    nextSequenceNumber: 0,
    items: nothing,
    outcome: undefined,
    emitsEvents: false,
  };
}

/** Emits the bodies that further providers got before the first output. */
export function reportBodies(state: ResponseState, sent: readonly SentBody[]): Change {
  return emit(state, sent.map(debugEvent));
}

function debugEvent(body: SentBody): EventBody {
  return { type: 'response.debug', debug: { echo_upstream_body: body } };
}

/** Sets the model that serves the response. */
export function servedBy(state: ResponseState, model: string): ResponseState {
  return state.head.model === model ? state : { ...state, head: { ...state.head, model } };
}

/** Adds one part to a response. */
export function advanceResponse(state: ResponseState, part: AnswerPart): Change {
  switch (part.type) {
    case 'response-start':
    case 'unread-usage':
    // An answer of this dialect has no vectors.
    case 'embeddings':
    case 'ranks':
      return [state, nothing];
    case 'text-start':
    case 'refusal-start':
    case 'reasoning-start':
    case 'tool-call-start':
    case 'native-start':
    case 'tool-item-start':
      return openItem(state, part.part, openingOf(part));
    case 'text-delta':
      return growText(state, part);
    case 'refusal-delta':
    case 'reasoning-delta':
    case 'reasoning-summary-delta':
    case 'tool-call-delta':
    case 'text-annotation':
      return growItem(state, part);
    case 'correction':
      return [correct(state, part), nothing];
    case 'reasoning-end': {
      const { replay } = part;
      const added = (item: OutputItem) => (replay ? withReplay(item, replay, state.head) : item);
      return closeItem(changed(state, part.part, added), part.part, 'completed');
    }
    case 'native-end':
    case 'tool-item-end':
      return closeItem(withNative(state, part), part.part, 'completed');
    case 'tool-item-progress':
      return emit(state, [progressEvent(...openItemOf(state, part.part), part.progress)]);
    case 'tool-item-suspend':
      return [changed(state, part.part, suspended), nothing];
    case 'tool-call-end': {
      const { subagentItems: items } = part;
      const next = items ? changed(state, part.part, withTranscript(items)) : state;
      return closeItem(next, part.part, 'completed');
    }
    case 'text-end':
    case 'refusal-end':
      return closeItem(state, part.part, 'completed');
    case 'image':
      return wholeImage(state, part);
  }
}

/** Closes the open items and emits the terminal event. */
export function endResponse(state: ResponseState, settlement: Settlement): Change {
  const [settled, closing] = settle(state, settlement.last);
  const response = finalResponse(settled, settlement);
  assert(response.status !== 'in_progress');
  const [ended, terminal] = emit(settled, [{ type: `response.${response.status}`, response }]);
  return [ended, [...closing, ...terminal]];
}

/** Returns the whole response, for the terminal event or as the body of an answer. Only after `settle`. */
export function finalResponse(state: ResponseState, settlement: Settlement): ResponseObject {
  assert(state.outcome, 'invariant: a response is settled before it ends');
  return endedResponse(state.head, state.items, state.outcome, settlement);
}

function openItem(state: ResponseState, part: number, opening: Opening): Change {
  assert(placeOf(state, part) < 0, 'invariant: a part begins once');
  const outputIndex = state.items.length;
  const { prefix, fields } = opening;
  const item: OutputItem = {
    ...fields,
    id: state.itemId(prefix, outputIndex),
    part,
    status: 'in_progress',
  };
  const next = { ...state, items: [...state.items, item] };
  return emit(next, next.emitsEvents ? openingEvents(item, outputIndex) : nothing);
}

function growItem(state: ResponseState, part: GrowingPart): Change {
  const [item, outputIndex] = openItemOf(state, part.part);
  const [grown, events] = grow(item, outputIndex, part, state.head);
  return emit(state, events, state.items.with(outputIndex, grown));
}

type Draft<State> = { -readonly [Field in keyof State]: State[Field] };

/** Handles most of a stream, so it mutates the item without a copy. */
function growText(state: Draft<ResponseState>, part: TextDelta): Change {
  const outputIndex = placeOf(state, part.part);
  const item: Draft<OutputItem> | undefined = state.items[outputIndex];
  assert(item?.kind === 'text', 'invariant: a part grows between its start and end');
  const { delta, logprobs = nothing } = part;
  item.text += delta;
  if (logprobs.length > 0) item.logprobs = [...item.logprobs, ...logprobs];
  if (!state.emitsEvents) return [state, nothing];
  const event: ResponseEvent = {
    type: 'response.output_text.delta',
    item_id: item.id,
    output_index: outputIndex,
    content_index: 0,
    delta,
    logprobs,
    sequence_number: state.nextSequenceNumber,
  };
  state.nextSequenceNumber += 1;
  return [state, [event]];
}

function closeItem(state: ResponseState, part: number, status: ItemStatus): Change {
  const [item, outputIndex] = openItemOf(state, part);
  const closed: OutputItem = { ...item, status };
  const next = { ...state, items: state.items.with(outputIndex, closed) };
  if (!next.emitsEvents) return [next, nothing];
  const ends = closed.kind === 'reasoning' ? thoughtEnd(closed, outputIndex) : nothing;
  return emit(next, [...ends, ...closingEvents(closed, outputIndex)]);
}

/** Replaces the text of an open item. Its later events, and the whole response, have the text that wins. */
function correct(
  state: ResponseState,
  part: Extract<StreamPart, { type: 'correction' }>,
): ResponseState {
  const outputIndex = placeOf(state, part.part);
  const item = state.items[outputIndex];
  if (!item || part.text === undefined) return state;
  return { ...state, items: state.items.with(outputIndex, corrected(item, part.text, part)) };
}

function withNative(
  state: ResponseState,
  {
    part,
    item: native,
  }: Pick<Extract<AnswerPart, { type: 'native-start' | 'native-end' }>, 'part' | 'item'>,
): ResponseState {
  return changed(state, part, (item) =>
    // The type of an item cannot change.
    item.kind === 'native' ? { ...item, item: { ...native, type: item.item['type'] } } : item,
  );
}

function changed(
  state: ResponseState,
  part: number,
  change: (item: OutputItem) => OutputItem,
): ResponseState {
  const [item, outputIndex] = openItemOf(state, part);
  return { ...state, items: state.items.with(outputIndex, change(item)) };
}

function wholeImage(
  state: ResponseState,
  { part, base64 }: Extract<StreamPart, { type: 'image' }>,
): Change {
  const fields = { kind: 'image', base64: null } as const;
  const [opened, opening] = openItem(state, part, { prefix: 'ig', fields });
  const drawn = changed(opened, part, (item) => {
    assert(item.kind === 'image');
    return { ...item, base64 };
  });
  const [closed, closing] = closeItem(drawn, part, 'completed');
  return [closed, [...opening, ...closing]];
}

function openItemOf(state: ResponseState, part: number): readonly [OutputItem, number] {
  const outputIndex = placeOf(state, part);
  const item = state.items[outputIndex];
  assert(item, 'invariant: a part grows between its start and end');
  return [item, outputIndex];
}

/** Returns the place of the item in progress, or a negative number if there is none. Searches from the end. */
function placeOf({ items }: ResponseState, part: number): number {
  let place = items.length - 1;
  for (; place >= 0; place -= 1) {
    const item = items[place];
    if (item?.part === part && item.status === 'in_progress') break;
  }
  return place;
}

/**
 * Sets the outcome, and closes items that a limit cut as incomplete. After a failure nothing is closed, so that a
 * client does not execute half a call.
 */
export function settle(state: ResponseState, last: LastPart): Change {
  const outcome = outcomeOf(last, { hasOutput: state.items.length > 0 });
  const settled = { ...state, outcome };
  if (outcome.status === 'failed') return [settled, nothing];
  const status = outcome.status === 'completed' ? 'completed' : 'incomplete';
  let next: ResponseState = settled;
  const events: ResponseEvent[] = [];
  for (const item of state.items) {
    if (item.status !== 'in_progress' || isSuspended(item)) continue;
    const [closed, closing] = closeItem(next, item.part, status);
    next = closed;
    events.push(...closing);
  }
  return [next, events];
}

function emit(
  state: ResponseState,
  bodies: readonly EventBody[],
  items: ResponseState['items'] = state.items,
): Change {
  const first = state.nextSequenceNumber;
  if (!state.emitsEvents) return [items === state.items ? state : { ...state, items }, nothing];
  const [only] = bodies;
  const events =
    bodies.length === 1 && only
      ? [{ ...only, sequence_number: first }]
      : bodies.map((body, index) => ({ ...body, sequence_number: first + index }));
  return [{ ...state, items, nextSequenceNumber: first + bodies.length }, events];
}
