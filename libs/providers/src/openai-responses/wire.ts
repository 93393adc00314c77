import type { Logprob } from '@sluice/inference';
import { asIndex, asObject, asString, asWord, exactAt, type JsonObject } from '../json-reader.ts';
import { readLogprobs } from '../logprobs.ts';
import { argumentsText } from '../call-arguments.ts';
import { readItem, readResponse, type WireItem, type WireResponse } from './items.ts';

/** One event of a response stream, reduced to the fields that Sluice reads. */
export type ResponsesEvent =
  | { readonly type: 'started'; readonly id: string | undefined }
  | { readonly type: 'item-added' | 'item-done'; readonly index: number; readonly item: WireItem }
  | ({ readonly type: 'prose-delta'; readonly kind: 'text' | 'refusal' } & InContent & {
        readonly delta: string;
        readonly logprobs: readonly Logprob[];
      })
  | ({ readonly type: 'annotation'; readonly annotation: JsonObject } & InContent)
  | ({ readonly type: 'thought-delta'; readonly delta: string } & InItem)
  | ({ readonly type: 'summary-delta'; readonly delta: string } & InContent)
  | ({ readonly type: 'told'; readonly told: Told } & InItem)
  | ({ readonly type: 'arguments-delta'; readonly delta: string } & InItem)
  | { readonly type: 'ended'; readonly response: WireResponse }
  | { readonly type: 'error'; readonly event: JsonObject }
  | { readonly type: 'ignored' }
  | { readonly type: 'malformed' };

/** A text that an event has as a whole, after its deltas. */
export type Told =
  | { readonly kind: 'text' | 'refusal'; readonly place: number; readonly text: string }
  | { readonly kind: 'summary'; readonly place: number; readonly text: string }
  | { readonly kind: 'thought' | 'arguments'; readonly text: string };

interface InItem {
  /** `output_index` */
  readonly index: number;
}

interface InContent extends InItem {
  /** The index of the text within the item. */
  readonly place: number;
}

const ignored = { type: 'ignored' } as const;
const malformed = { type: 'malformed' } as const;

/** Parses an event. The arguments of a call pass on as they are, and so do the actions of tools. */
export const parseResponsesEvent = exactAt(
  'arguments',
  ...['item', 'response.output[]'].flatMap((item) =>
    ['arguments', 'action', 'actions'].map((field) => `${item}.${field}`),
  ),
);

/** Returns true for an event that the API has, or may have one day. */
export function isResponsesEvent({ type }: JsonObject): boolean {
  return typeof type === 'string' && (type.startsWith('response.') || type === 'error');
}

export function readResponsesEvent(event: JsonObject): ResponsesEvent {
  switch (event['type']) {
    case 'response.created':
    case 'response.in_progress':
      return { type: 'started', id: asWord(asObject(event['response'])?.['id']) };
    case 'response.output_item.added':
      return itemEvent('item-added', event);
    case 'response.output_item.done':
      return itemEvent('item-done', event);
    case 'response.output_text.delta':
      return proseDelta('text', event);
    case 'response.refusal.delta':
      return proseDelta('refusal', event);
    case 'response.output_text.annotation.added':
      return annotation(event);
    case 'response.reasoning_text.delta':
      return itemDelta('thought-delta', event);
    case 'response.reasoning_summary_text.delta':
      return summaryDelta(event);
    case 'response.function_call_arguments.delta':
    case 'response.custom_tool_call_input.delta':
      return itemDelta('arguments-delta', event);
    case 'response.output_text.done':
      return told(event, 'text', 'text');
    case 'response.refusal.done':
      return told(event, 'refusal', 'refusal');
    case 'response.content_part.done':
      return toldPart(event);
    case 'response.reasoning_text.done':
      return told(event, 'thought', 'text');
    case 'response.reasoning_summary_text.done':
      return told(event, 'summary', 'text');
    case 'response.function_call_arguments.done':
      return told(event, 'arguments', 'arguments');
    case 'response.custom_tool_call_input.done':
      return told(event, 'arguments', 'input');
    case 'response.completed':
    case 'response.incomplete':
    case 'response.failed':
      return { type: 'ended', response: readResponse(asObject(event['response']) ?? {}) };
    case 'error':
      return { type: 'error', event };
    default:
      return ignored;
  }
}

function itemEvent(type: 'item-added' | 'item-done', event: JsonObject): ResponsesEvent {
  const index = asIndex(event['output_index']);
  const item = asObject(event['item']);
  return index === undefined || !item ? malformed : { type, index, item: readItem(item) };
}

function proseDelta(kind: 'text' | 'refusal', event: JsonObject): ResponsesEvent {
  const at = inContent(event, 'content_index');
  const delta = asString(event['delta']);
  if (!at || delta === undefined) return malformed;
  return { type: 'prose-delta', kind, ...at, delta, logprobs: readLogprobs(event['logprobs']) };
}

function summaryDelta(event: JsonObject): ResponsesEvent {
  const at = inContent(event, 'summary_index');
  const delta = asString(event['delta']);
  return !at || delta === undefined ? malformed : { type: 'summary-delta', ...at, delta };
}

function annotation(event: JsonObject): ResponsesEvent {
  const at = inContent(event, 'content_index');
  const found = asObject(event['annotation']);
  return !at || !found ? malformed : { type: 'annotation', ...at, annotation: found };
}

function itemDelta(type: 'thought-delta' | 'arguments-delta', event: JsonObject): ResponsesEvent {
  const index = asIndex(event['output_index']);
  const delta = asString(event['delta']);
  return index === undefined || delta === undefined ? malformed : { type, index, delta };
}

const placeFields = {
  text: 'content_index',
  refusal: 'content_index',
  summary: 'summary_index',
} as const;

/** Reads a whole text. An event without one is ignored, because its deltas are enough. */
function told(event: JsonObject, kind: Told['kind'], field: string): ResponsesEvent {
  const text = kind === 'arguments' ? argumentsText(event[field]) : asString(event[field]);
  const index = asIndex(event['output_index']);
  if (index === undefined || !text) return ignored;
  if (kind === 'thought' || kind === 'arguments')
    return { type: 'told', index, told: { kind, text } };
  const place = asIndex(event[placeFields[kind]]);
  return place === undefined ? ignored : { type: 'told', index, told: { kind, place, text } };
}

function toldPart(event: JsonObject): ResponsesEvent {
  const part = asObject(event['part']);
  switch (part?.['type']) {
    case 'output_text':
      return told({ ...event, text: part['text'] }, 'text', 'text');
    case 'refusal':
      return told({ ...event, refusal: part['refusal'] }, 'refusal', 'refusal');
    default:
      return ignored;
  }
}

function inContent(
  event: JsonObject,
  placeField: 'content_index' | 'summary_index',
): InContent | undefined {
  const index = asIndex(event['output_index']);
  const place = asIndex(event[placeField]);
  return index === undefined || place === undefined ? undefined : { index, place };
}
