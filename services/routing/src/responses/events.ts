import assert from 'node:assert/strict';
import type { StreamPart } from '@sluice/inference';
import type { EventBody, ResponseEvent } from './event.ts';
import { closingEvents, deltaEvent, openingEvents } from './item-events.ts';
import { outcomeOf, type Outcome } from './outcome.ts';
import type { ItemKind, ItemStatus, OutputItem } from './output-item.ts';
import {
  endedResponse,
  openResponse,
  type ResponseHead,
  type ResponseObject,
  type Settlement,
} from './response-object.ts';

/** Makes the id of the item at a place: unique within the response. */
export type ItemIds = (prefix: 'msg' | 'rs' | 'fc', outputIndex: number) => string;

/** A response as it grows. */
export interface ResponseState {
  readonly head: ResponseHead;
  readonly itemId: ItemIds;
  readonly nextSequenceNumber: number;
  /** By `output_index`. */
  readonly items: readonly OutputItem[];
  /** The open parts, and the place of the item each one grows. */
  readonly open: ReadonlyMap<number, number>;
  /** Set by the last part. */
  readonly outcome: Outcome | undefined;
}

type Told = readonly [ResponseState, readonly ResponseEvent[]];

/** A response that has said nothing yet. */
export function beginResponse(head: ResponseHead, itemId: ItemIds): Told {
  const state: ResponseState = {
    head,
    itemId,
    nextSequenceNumber: 0,
    items: [],
    open: new Map(),
    outcome: undefined,
  };
  const response = openResponse(head, []);
  return tell(state, [
    { type: 'response.created', response },
    { type: 'response.in_progress', response },
  ]);
}

/**
 * What one part adds to a response. The last part closes what is open and settles the outcome; the
 * terminal event is left to `endResponse`, so that usage can be made durable before it leaves.
 */
export function advanceResponse(state: ResponseState, part: StreamPart): Told {
  if (state.outcome) return [state, []];
  switch (part.type) {
    case 'response-start':
    case 'unread-usage':
      return [state, []];
    case 'text-start':
      return openItem(state, part.part, { kind: 'text', prefix: 'msg', call: undefined });
    case 'refusal-start':
      return openItem(state, part.part, { kind: 'refusal', prefix: 'msg', call: undefined });
    case 'reasoning-start':
      return openItem(state, part.part, { kind: 'reasoning', prefix: 'rs', call: undefined });
    case 'tool-call-start':
      return openItem(state, part.part, { kind: 'tool-call', prefix: 'fc', call: part });
    case 'text-delta':
    case 'refusal-delta':
    case 'reasoning-delta':
    case 'tool-call-delta':
      return growItem(state, part.part, part.delta);
    case 'text-end':
    case 'refusal-end':
    case 'reasoning-end':
    case 'tool-call-end':
      return closeItem(state, part.part, 'completed');
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

interface Opening {
  readonly kind: ItemKind;
  readonly prefix: 'msg' | 'rs' | 'fc';
  readonly call: OutputItem['call'];
}

function openItem(state: ResponseState, part: number, opening: Opening): Told {
  assert(!state.open.has(part), 'invariant: a part begins once');
  const { kind, prefix, call } = opening;
  const outputIndex = state.items.length;
  const item: OutputItem = {
    kind,
    id: state.itemId(prefix, outputIndex),
    status: 'in_progress',
    text: '',
    call: call && { callId: call.callId, name: call.name },
  };
  const next = {
    ...state,
    items: [...state.items, item],
    open: new Map(state.open).set(part, outputIndex),
  };
  return tell(next, openingEvents(item, outputIndex));
}

function growItem(state: ResponseState, part: number, delta: string): Told {
  const [item, outputIndex] = openItemOf(state, part);
  const items = state.items.with(outputIndex, { ...item, text: item.text + delta });
  return tell({ ...state, items }, [deltaEvent(item, outputIndex, delta)]);
}

function closeItem(state: ResponseState, part: number, status: ItemStatus): Told {
  const [item, outputIndex] = openItemOf(state, part);
  const closed = { ...item, status };
  const open = new Map(state.open);
  open.delete(part);
  const next = { ...state, items: state.items.with(outputIndex, closed), open };
  return tell(next, closingEvents(closed, outputIndex));
}

function openItemOf(state: ResponseState, part: number): readonly [OutputItem, number] {
  const outputIndex = state.open.get(part);
  const item = outputIndex === undefined ? undefined : state.items[outputIndex];
  assert(item && outputIndex !== undefined, 'invariant: a part grows between its start and end');
  return [item, outputIndex];
}

/**
 * What a limit cut is closed as incomplete. After a failure nothing is closed: a client must not
 * take half a call for a whole one.
 */
function settle(
  state: ResponseState,
  part: Extract<StreamPart, { type: 'finish' | 'error' }>,
): Told {
  const outcome = outcomeOf(part, { hasOutput: state.items.length > 0 });
  const settled = { ...state, outcome };
  if (outcome.status === 'failed') return [settled, []];
  const status = outcome.status === 'completed' ? 'completed' : 'incomplete';
  let next: ResponseState = settled;
  const events: ResponseEvent[] = [];
  for (const openPart of state.open.keys()) {
    const [closed, told] = closeItem(next, openPart, status);
    next = closed;
    events.push(...told);
  }
  return [next, events];
}

function tell(state: ResponseState, bodies: readonly EventBody[]): Told {
  const first = state.nextSequenceNumber;
  const events = bodies.map((body, index) => ({ ...body, sequence_number: first + index }));
  return [{ ...state, nextSequenceNumber: first + bodies.length }, events];
}
