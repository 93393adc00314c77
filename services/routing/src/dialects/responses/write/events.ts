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

/** A response in progress. Each function that is given it changes it, and returns the events of the change. */
export interface ResponseState {
  head: ResponseHead;
  readonly itemId: ItemIds;
  nextSequenceNumber: number;
  /** Items by `output_index`. */
  readonly items: OutputItem[];
  /** undefined until the response has ended. */
  outcome: Outcome | undefined;
  /** False for a response that is not streamed. No events are made for it. */
  emitsEvents: boolean;
}

type Events = readonly ResponseEvent[];

const nothing: readonly [] = [];

/** Begins a response that emits no events, for a client that waits for the whole. */
export function beginSilent(head: ResponseHead, itemId: ItemIds): ResponseState {
  return {
    head,
    itemId,
    nextSequenceNumber: 0,
    items: [],
    outcome: undefined,
    emitsEvents: false,
  };
}

/** Begins to emit events. The first ones have the bodies that providers got so far. */
export function beginEvents(state: ResponseState, sent: readonly SentBody[] = []): Events {
  state.emitsEvents = true;
  const response = openResponse(state.head, []);
  return emit(state, [
    ...sent.map(debugEvent),
    { type: 'response.created', response },
    { type: 'response.in_progress', response },
  ]);
}

/** Emits the bodies that further providers got before the first output. */
export function reportBodies(state: ResponseState, sent: readonly SentBody[]): Events {
  return emit(state, sent.map(debugEvent));
}

function debugEvent(body: SentBody): EventBody {
  return { type: 'response.debug', debug: { echo_upstream_body: body } };
}

/** Sets the model that serves the response. */
export function servedBy(state: ResponseState, model: string): void {
  if (state.head.model !== model) state.head = { ...state.head, model };
}

/** Adds one part to a response. */
export function advanceResponse(state: ResponseState, part: AnswerPart): Events {
  switch (part.type) {
    case 'response-start':
    case 'unread-usage':
    // An answer of this dialect has no vectors.
    case 'embeddings':
    case 'ranks':
      return nothing;
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
      return correct(state, part);
    case 'reasoning-end': {
      const { replay } = part;
      if (replay) change(state, part.part, (item) => withReplay(item, replay, state.head));
      return closeItem(state, part.part, 'completed');
    }
    case 'native-end':
    case 'tool-item-end':
      takeNative(state, part);
      return closeItem(state, part.part, 'completed');
    case 'tool-item-progress':
      return emit(state, [progressEvent(...openItemOf(state, part.part), part.progress)]);
    case 'tool-item-suspend':
      change(state, part.part, suspended);
      return nothing;
    case 'tool-call-end': {
      const { subagentItems: items } = part;
      if (items) change(state, part.part, withTranscript(items));
      return closeItem(state, part.part, 'completed');
    }
    case 'text-end':
    case 'refusal-end':
      return closeItem(state, part.part, 'completed');
    case 'image':
      return wholeImage(state, part);
  }
}

/** Closes the open items and emits the terminal event. */
export function endResponse(state: ResponseState, settlement: Settlement): Events {
  const closing = settle(state, settlement.last);
  const response = finalResponse(state, settlement);
  assert(response.status !== 'in_progress');
  return [...closing, ...emit(state, [{ type: `response.${response.status}`, response }])];
}

/** Returns the whole response, for the terminal event or as the body of an answer. Only after `settle`. */
export function finalResponse(state: ResponseState, settlement: Settlement): ResponseObject {
  assert(state.outcome, 'invariant: a response is settled before it ends');
  return endedResponse(state.head, state.items, state.outcome, settlement);
}

function openItem(state: ResponseState, part: number, { prefix, fields }: Opening): Events {
  assert(placeOf(state, part) < 0, 'invariant: a part begins once');
  const outputIndex = state.items.length;
  const id = state.itemId(prefix, outputIndex);
  const item: OutputItem = { ...fields, id, part, status: 'in_progress' };
  state.items.push(item);
  return state.emitsEvents ? emit(state, openingEvents(item, outputIndex)) : nothing;
}

function growItem(state: ResponseState, part: GrowingPart): Events {
  const [item, outputIndex] = openItemOf(state, part.part);
  const [grown, events] = grow(item, outputIndex, part, state.head);
  state.items[outputIndex] = grown;
  return emit(state, events);
}

type Draft<State> = { -readonly [Field in keyof State]: State[Field] };

/** Handles most of a stream, so it mutates the item without a copy. */
function growText(state: ResponseState, part: TextDelta): Events {
  const outputIndex = placeOf(state, part.part);
  const item: Draft<OutputItem> | undefined = state.items[outputIndex];
  assert(item?.kind === 'text', 'invariant: a part grows between its start and end');
  const { delta, logprobs = nothing } = part;
  item.text += delta;
  if (logprobs.length > 0) item.logprobs = [...item.logprobs, ...logprobs];
  if (!state.emitsEvents) return nothing;
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
  return [event];
}

function closeItem(state: ResponseState, part: number, status: ItemStatus): Events {
  const [item, outputIndex]: readonly [Draft<OutputItem>, number] = openItemOf(state, part);
  item.status = status;
  if (!state.emitsEvents) return nothing;
  const ends = item.kind === 'reasoning' ? thoughtEnd(item, outputIndex) : nothing;
  return emit(state, [...ends, ...closingEvents(item, outputIndex)]);
}

/** Replaces the text of an open item. Its later events, and the whole response, have the text that wins. */
function correct(
  state: ResponseState,
  part: Extract<StreamPart, { type: 'correction' }>,
): readonly [] {
  const outputIndex = placeOf(state, part.part);
  const item = state.items[outputIndex];
  if (item && part.text !== undefined) state.items[outputIndex] = corrected(item, part.text, part);
  return nothing;
}

function takeNative(
  state: ResponseState,
  {
    part,
    item: native,
  }: Pick<Extract<AnswerPart, { type: 'native-start' | 'native-end' }>, 'part' | 'item'>,
): void {
  change(state, part, (item) =>
    // The type of an item cannot change.
    item.kind === 'native' ? { ...item, item: { ...native, type: item.item['type'] } } : item,
  );
}

function change(
  state: ResponseState,
  part: number,
  changed: (item: OutputItem) => OutputItem,
): void {
  const [item, outputIndex] = openItemOf(state, part);
  state.items[outputIndex] = changed(item);
}

function wholeImage(
  state: ResponseState,
  { part, base64 }: Extract<StreamPart, { type: 'image' }>,
): Events {
  const fields = { kind: 'image', base64: null } as const;
  const opening = openItem(state, part, { prefix: 'ig', fields });
  change(state, part, (item) => {
    assert(item.kind === 'image');
    return { ...item, base64 };
  });
  return [...opening, ...closeItem(state, part, 'completed')];
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
export function settle(state: ResponseState, last: LastPart): Events {
  const outcome = outcomeOf(last, { hasOutput: state.items.length > 0 });
  state.outcome = outcome;
  if (outcome.status === 'failed') return nothing;
  const status = outcome.status === 'completed' ? 'completed' : 'incomplete';
  const events: ResponseEvent[] = [];
  for (const item of state.items)
    if (item.status === 'in_progress' && !isSuspended(item))
      events.push(...closeItem(state, item.part, status));
  return events;
}

function emit(state: ResponseState, bodies: readonly EventBody[]): Events {
  if (!state.emitsEvents) return nothing;
  const first = state.nextSequenceNumber;
  state.nextSequenceNumber += bodies.length;
  return bodies.map((body, index) => ({ ...body, sequence_number: first + index }));
}
