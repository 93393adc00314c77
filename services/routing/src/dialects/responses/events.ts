import assert from 'node:assert/strict';
import type { StreamPart } from '@sluice/inference';
import type { DebugTold, EventBody, ResponseEvent } from './event.ts';
import { grow, openingOf, type GrowingPart, type Opening, type TextDelta } from './grow-item.ts';
import { closingEvents, openingEvents } from './item-events.ts';
import { outcomeOf, type Outcome } from './outcome.ts';
import type { ItemStatus, OutputItem } from './output-item.ts';
import {
  endedResponse,
  openResponse,
  type ResponseHead,
  type ResponseObject,
  type Settlement,
} from './response-object.ts';
import { sealThought } from './sealed-thought.ts';
import { thoughtEnd } from './thought-events.ts';

/** Makes the id of the item at a place: unique within the response. */
export type ItemIds = (prefix: string, outputIndex: number) => string;

/** A response as it grows. Whoever advances it gives it away: a text grows where it is. */
export interface ResponseState {
  readonly head: ResponseHead;
  readonly itemId: ItemIds;
  readonly nextSequenceNumber: number;
  /** By `output_index`. */
  readonly items: readonly OutputItem[];
  /** Set by the last part. */
  readonly outcome: Outcome | undefined;
  /** False: nobody hears of it before its end, and no events are made. */
  readonly isHeard: boolean;
}

type Told = readonly [ResponseState, readonly ResponseEvent[]];

const nothing: readonly [] = [];

/** A response that has said nothing yet, but what was asked of providers. */
export function beginResponse(
  head: ResponseHead,
  itemId: ItemIds,
  debugged: readonly DebugTold[] = [],
): Told {
  const state = { ...beginUnheard(head, itemId), isHeard: true };
  const response = openResponse(head, []);
  return tell(state, [
    ...debugged.map(debugEvent),
    { type: 'response.created', response },
    { type: 'response.in_progress', response },
  ]);
}

/** The same for a client that waits for the whole: only its end is told. */
export function beginUnheard(head: ResponseHead, itemId: ItemIds): ResponseState {
  return {
    head,
    itemId,
    nextSequenceNumber: 0,
    items: nothing,
    outcome: undefined,
    isHeard: false,
  };
}

/** Reports the bodies that further providers were sent before the first output. */
export function tellDebugged(state: ResponseState, debugged: readonly DebugTold[]): Told {
  return tell(state, debugged.map(debugEvent));
}

function debugEvent(debug: DebugTold): EventBody {
  return { type: 'response.debug', debug };
}

/** From here on the response names the model that serves it. */
export function servedBy(state: ResponseState, model: string): ResponseState {
  return state.head.model === model ? state : { ...state, head: { ...state.head, model } };
}

/**
 * Adds one part to a response. The last part closes the open items and settles the outcome. `endResponse` writes the
 * terminal event, so that usage can be made durable before it leaves.
 */
export function advanceResponse(state: ResponseState, part: StreamPart): Told {
  if (state.outcome) return [state, nothing];
  switch (part.type) {
    case 'response-start':
    case 'unread-usage':
      return [state, nothing];
    case 'text-start':
    case 'refusal-start':
    case 'reasoning-start':
    case 'tool-call-start':
    case 'native-start':
      return openItem(state, part.part, openingOf(part));
    case 'text-delta':
      return growText(state, part);
    case 'refusal-delta':
    case 'reasoning-delta':
    case 'reasoning-summary-delta':
    case 'tool-call-delta':
    case 'text-annotation':
      return growItem(state, part);
    case 'reasoning-end':
      return closeItem(withReplay(state, part), part.part, 'completed');
    case 'native-end':
      return closeItem(withNative(state, part), part.part, 'completed');
    case 'text-end':
    case 'refusal-end':
    case 'tool-call-end':
      return closeItem(state, part.part, 'completed');
    case 'image':
      return wholeImage(state, part);
    case 'finish':
    case 'error':
      return settle(state, part);
  }
}

/** The terminal event. Only after the last part. */
export function endResponse(state: ResponseState, settlement: Settlement): Told {
  const response = finalResponse(state, settlement);
  assert(response.status !== 'in_progress');
  return tell(state, [{ type: `response.${response.status}`, response }]);
}

/** The whole response: the terminal event's snapshot, and the body when nothing is streamed. */
export function finalResponse(state: ResponseState, settlement: Settlement): ResponseObject {
  assert(state.outcome, 'invariant: a response ends after its last part');
  return endedResponse(state.head, state.items, state.outcome, settlement);
}

function openItem(state: ResponseState, part: number, opening: Opening): Told {
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
  return tell(next, next.isHeard ? openingEvents(item, outputIndex) : nothing);
}

function growItem(state: ResponseState, part: GrowingPart): Told {
  const [item, outputIndex] = openItemOf(state, part.part);
  const [grown, events] = grow(item, outputIndex, part);
  return tell(state, events, state.items.with(outputIndex, grown));
}

type Draft<State> = { -readonly [Field in keyof State]: State[Field] };

/** Most of a stream comes through here: nothing is copied. */
function growText(state: Draft<ResponseState>, part: TextDelta): Told {
  const outputIndex = placeOf(state, part.part);
  const item: Draft<OutputItem> | undefined = state.items[outputIndex];
  assert(item?.kind === 'text', 'invariant: a part grows between its start and end');
  const { delta, logprobs = nothing } = part;
  item.text += delta;
  if (logprobs.length > 0) item.logprobs = [...item.logprobs, ...logprobs];
  if (!state.isHeard) return [state, nothing];
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

function closeItem(state: ResponseState, part: number, status: ItemStatus): Told {
  const [item, outputIndex] = openItemOf(state, part);
  const closed: OutputItem = { ...item, status };
  const next = { ...state, items: state.items.with(outputIndex, closed) };
  if (!next.isHeard) return [next, nothing];
  const ends = closed.kind === 'reasoning' ? thoughtEnd(closed, outputIndex) : nothing;
  return tell(next, [...ends, ...closingEvents(closed, outputIndex)]);
}

/** Returns encrypted reasoning only if the request asks for it. */
function withReplay(
  state: ResponseState,
  { part, replay }: Extract<StreamPart, { type: 'reasoning-end' }>,
): ResponseState {
  const [item, outputIndex] = openItemOf(state, part);
  if (item.kind !== 'reasoning' || !replay) return state;
  const { encrypted: _encrypted, ...readable } = replay;
  const told = state.head.tellsEncrypted
    ? { ...readable, encrypted: sealThought(replay, item.text) }
    : readable;
  return { ...state, items: state.items.with(outputIndex, { ...item, replay: told }) };
}

function withNative(
  state: ResponseState,
  { part, item: native }: Extract<StreamPart, { type: 'native-start' | 'native-end' }>,
): ResponseState {
  const [item, outputIndex] = openItemOf(state, part);
  if (item.kind !== 'native') return state;
  // It ends as what it began as, whatever the upstream says.
  const ended = { ...native, type: item.item['type'] };
  return { ...state, items: state.items.with(outputIndex, { ...item, item: ended }) };
}

function wholeImage(
  state: ResponseState,
  { part, base64 }: Extract<StreamPart, { type: 'image' }>,
): Told {
  const fields = { kind: 'image', base64: null } as const;
  const [opened, opening] = openItem(state, part, { prefix: 'ig', fields });
  const [item, outputIndex] = openItemOf(opened, part);
  assert(item.kind === 'image');
  const drawn = { ...opened, items: opened.items.with(outputIndex, { ...item, base64 }) };
  const [closed, closing] = closeItem(drawn, part, 'completed');
  return [closed, [...opening, ...closing]];
}

function openItemOf(state: ResponseState, part: number): readonly [OutputItem, number] {
  const outputIndex = placeOf(state, part);
  const item = state.items[outputIndex];
  assert(item, 'invariant: a part grows between its start and end');
  return [item, outputIndex];
}

/** Returns the place of the item in progress. Below 0: there is none. It mostly is the last one. */
function placeOf({ items }: ResponseState, part: number): number {
  let place = items.length - 1;
  for (; place >= 0; place -= 1) {
    const item = items[place];
    if (item?.part === part && item.status === 'in_progress') break;
  }
  return place;
}

/**
 * Closes an item that a limit cut as incomplete. After a failure nothing is closed: a client must not take half a call
 * for a whole one.
 */
function settle(
  state: ResponseState,
  part: Extract<StreamPart, { type: 'finish' | 'error' }>,
): Told {
  const outcome = outcomeOf(part, { hasOutput: state.items.length > 0 });
  const settled = { ...state, outcome };
  if (outcome.status === 'failed') return [settled, nothing];
  const status = outcome.status === 'completed' ? 'completed' : 'incomplete';
  let next: ResponseState = settled;
  const events: ResponseEvent[] = [];
  for (const item of state.items) {
    if (item.status !== 'in_progress') continue;
    const [closed, told] = closeItem(next, item.part, status);
    next = closed;
    events.push(...told);
  }
  return [next, events];
}

function tell(
  state: ResponseState,
  bodies: readonly EventBody[],
  items: ResponseState['items'] = state.items,
): Told {
  const first = state.nextSequenceNumber;
  if (!state.isHeard) return [items === state.items ? state : { ...state, items }, nothing];
  const [only] = bodies;
  const events =
    bodies.length === 1 && only
      ? [{ ...only, sequence_number: first }]
      : bodies.map((body, index) => ({ ...body, sequence_number: first + index }));
  return [{ ...state, items, nextSequenceNumber: first + bodies.length }, events];
}
