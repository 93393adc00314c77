import {
  asArray,
  asIndex,
  asObject,
  asString,
  asWord,
  parseJson,
  type JsonObject,
} from '../json-reader.ts';

/** What a text belongs to: each is a part of its own. */
export type ProseKind = 'text' | 'refusal' | 'reasoning';

/** What one event of a response stream says, as far as we read it. */
export type ResponsesEvent =
  | { readonly type: 'started'; readonly id: string | undefined }
  | { readonly type: 'item-added' | 'item-done'; readonly index: number; readonly item: WireItem }
  | {
      readonly type: 'prose-delta';
      readonly kind: ProseKind;
      readonly index: number;
      /** Which text of the item. */
      readonly place: string;
      readonly delta: string;
    }
  | { readonly type: 'arguments-delta'; readonly index: number; readonly delta: string }
  | { readonly type: 'ended'; readonly response: WireResponse }
  | { readonly type: 'error'; readonly event: JsonObject }
  | { readonly type: 'ignored' }
  | { readonly type: 'malformed' };

export interface WireProse {
  readonly kind: ProseKind;
  readonly place: string;
  readonly text: string;
}

export type WireItem =
  | { readonly type: 'prose'; readonly texts: readonly WireProse[]; readonly isWhole: boolean }
  | {
      readonly type: 'function-call';
      readonly callId: string;
      readonly name: string;
      readonly arguments: string;
      readonly isWhole: boolean;
    }
  | { readonly type: 'other' };

export interface WireResponse {
  readonly id: string | undefined;
  readonly status: 'completed' | 'incomplete' | 'failed' | undefined;
  readonly incompleteReason: string | undefined;
  readonly error: JsonObject | undefined;
  /** As it came. */
  readonly usage: unknown;
  readonly output: readonly WireItem[];
}

const ignored = { type: 'ignored' } as const;
const malformed = { type: 'malformed' } as const;

export function readResponsesEvent(data: string): ResponsesEvent {
  if (data === '[DONE]') return ignored;
  const event = asObject(parseJson(data));
  if (!event) return malformed;
  switch (event['type']) {
    case 'response.created':
    case 'response.in_progress':
      return { type: 'started', id: asWord(asObject(event['response'])?.['id']) };
    case 'response.output_item.added':
      return itemEvent('item-added', event);
    case 'response.output_item.done':
      return itemEvent('item-done', event);
    case 'response.output_text.delta':
      return proseDelta('text', 'content_index', event);
    case 'response.refusal.delta':
      return proseDelta('refusal', 'content_index', event);
    case 'response.reasoning_text.delta':
      return proseDelta('reasoning', 'content_index', event);
    case 'response.reasoning_summary_text.delta':
      return proseDelta('reasoning', 'summary_index', event);
    case 'response.function_call_arguments.delta':
      return argumentsDelta(event);
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

export function readResponse(body: JsonObject): WireResponse {
  const status = body['status'];
  return {
    id: asWord(body['id']),
    status:
      status === 'completed' || status === 'incomplete' || status === 'failed' ? status : undefined,
    incompleteReason: asWord(asObject(body['incomplete_details'])?.['reason']),
    error: asObject(body['error']),
    usage: body['usage'],
    output: asArray(body['output']).map((item) => readItem(asObject(item) ?? {})),
  };
}

function itemEvent(type: 'item-added' | 'item-done', event: JsonObject): ResponsesEvent {
  const index = asIndex(event['output_index']);
  const item = asObject(event['item']);
  return index === undefined || !item ? malformed : { type, index, item: readItem(item) };
}

function proseDelta(
  kind: ProseKind,
  placeField: 'content_index' | 'summary_index',
  event: JsonObject,
): ResponsesEvent {
  const index = asIndex(event['output_index']);
  const place = asIndex(event[placeField]);
  const delta = asString(event['delta']);
  if (index === undefined || place === undefined || delta === undefined) return malformed;
  return { type: 'prose-delta', kind, index, place: placeOf(placeField, place), delta };
}

function argumentsDelta(event: JsonObject): ResponsesEvent {
  const index = asIndex(event['output_index']);
  const delta = asString(event['delta']);
  return index === undefined || delta === undefined
    ? malformed
    : { type: 'arguments-delta', index, delta };
}

function readItem(item: JsonObject): WireItem {
  const isWhole = item['status'] !== 'incomplete';
  switch (item['type']) {
    case 'message':
      return { type: 'prose', texts: readTexts('content_index', item['content']), isWhole };
    case 'reasoning':
      return {
        type: 'prose',
        texts: [
          ...readTexts('summary_index', item['summary']),
          ...readTexts('content_index', item['content']),
        ],
        isWhole,
      };
    case 'function_call':
      return readCall(item, isWhole);
    default:
      return { type: 'other' };
  }
}

function readCall(item: JsonObject, isWhole: boolean): WireItem {
  const callId = asString(item['call_id']);
  const name = asString(item['name']);
  if (!callId || !name) return { type: 'other' };
  return {
    type: 'function-call',
    callId,
    name,
    arguments: asString(item['arguments']) ?? '',
    isWhole,
  };
}

function readTexts(
  placeField: 'content_index' | 'summary_index',
  list: unknown,
): readonly WireProse[] {
  return asArray(list).flatMap((value, index): WireProse[] => {
    const place = placeOf(placeField, index);
    const part = asObject(value);
    switch (part?.['type']) {
      case 'output_text':
        return [{ kind: 'text', place, text: asString(part['text']) ?? '' }];
      case 'refusal':
        return [{ kind: 'refusal', place, text: asString(part['refusal']) ?? '' }];
      case 'reasoning_text':
      case 'summary_text':
        return [{ kind: 'reasoning', place, text: asString(part['text']) ?? '' }];
      default:
        return [];
    }
  });
}

function placeOf(placeField: string, index: number): string {
  return `${placeField}/${String(index)}`;
}
