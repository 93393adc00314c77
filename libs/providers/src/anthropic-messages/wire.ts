import type { StopDetails } from '@sluice/inference';
import {
  asArray,
  asIndex,
  asObject,
  asString,
  asWord,
  exactAt,
  type JsonObject,
} from '../json-reader.ts';
import { argumentsText } from '../call-arguments.ts';

/** One event of a message stream, reduced to the fields that Sluice reads. */
export type MessagesEvent =
  | { readonly type: 'started'; readonly id: string | undefined; readonly usage: unknown }
  | { readonly type: 'block-started'; readonly index: number; readonly block: WireBlock }
  | { readonly type: 'block-delta'; readonly index: number; readonly delta: WireDelta }
  | { readonly type: 'block-ended'; readonly index: number }
  | {
      readonly type: 'ending';
      readonly stopReason: string | undefined;
      /** Unchecked. */
      readonly stopSequence: unknown;
      readonly stopDetails: StopDetails | undefined;
      readonly usage: unknown;
    }
  | { readonly type: 'ended' }
  | { readonly type: 'error'; readonly event: JsonObject }
  | { readonly type: 'ignored' }
  | { readonly type: 'malformed' };

export type WireBlock =
  | { readonly type: 'text'; readonly text: string; readonly citations: readonly JsonObject[] }
  | { readonly type: 'thinking'; readonly text: string; readonly signature: string | undefined }
  | { readonly type: 'redacted'; readonly data: string }
  | {
      readonly type: 'tool-use';
      readonly id: string;
      readonly name: string;
      /** JSON text. Empty if there is no input, or if it follows in deltas. */
      readonly input: string;
    }
  /** A search of the API's own tool. */
  | { readonly type: 'search'; readonly id: string; readonly input: string }
  | { readonly type: 'search-result'; readonly id: string; readonly content: unknown }
  | { readonly type: 'other' }
  | { readonly type: 'malformed' };

export type WireDelta =
  | { readonly type: 'text' | 'thinking' | 'input' | 'signature'; readonly text: string }
  | { readonly type: 'citation'; readonly citation: JsonObject }
  | { readonly type: 'other' };

/** Parses a whole message. The input of a call passes on as it is. */
export const parseMessage = exactAt('content[].input');
export const parseMessagesEvent = exactAt('content_block.input');

const ignored = { type: 'ignored' } as const;
const malformed = { type: 'malformed' } as const;

const eventType = /^(?:message_|content_block_|ping$|error$)/;

/** Returns true for an event that the API has, or may have one day. */
export function isMessagesEvent({ type }: JsonObject): boolean {
  return typeof type === 'string' && eventType.test(type);
}

export function readMessagesEvent(event: JsonObject): MessagesEvent {
  switch (event['type']) {
    case 'message_start': {
      const message = asObject(event['message']) ?? {};
      return { type: 'started', id: asWord(message['id']), usage: message['usage'] };
    }
    case 'content_block_start':
      return inBlock(event, (index) => ({
        type: 'block-started',
        index,
        block: readBlock(asObject(event['content_block']) ?? {}),
      }));
    case 'content_block_delta':
      return inBlock(event, (index) => ({
        type: 'block-delta',
        index,
        delta: readDelta(asObject(event['delta']) ?? {}),
      }));
    case 'content_block_stop':
      return inBlock(event, (index) => ({ type: 'block-ended', index }));
    case 'message_delta': {
      const delta = asObject(event['delta']);
      return {
        type: 'ending',
        stopReason: asWord(delta?.['stop_reason']),
        stopSequence: delta?.['stop_sequence'],
        stopDetails: readStopDetails(delta?.['stop_details']),
        usage: event['usage'],
      };
    }
    case 'message_stop':
      return { type: 'ended' };
    case 'error':
      return { type: 'error', event };
    default:
      return ignored;
  }
}

export function readStopDetails(value: unknown): StopDetails | undefined {
  const details = asObject(value);
  if (details?.['type'] !== 'refusal') return undefined;
  const { category, explanation } = details;
  return { category: asString(category) ?? null, explanation: asString(explanation) ?? null };
}

function inBlock(event: JsonObject, read: (index: number) => MessagesEvent): MessagesEvent {
  const index = asIndex(event['index']);
  return index === undefined ? malformed : read(index);
}

export function readBlock(block: JsonObject): WireBlock {
  switch (block['type']) {
    case 'text':
      return {
        type: 'text',
        text: asString(block['text']) ?? '',
        citations: asArray(block['citations'])
          .map(asObject)
          .filter((each) => each !== undefined),
      };
    case 'thinking':
      return {
        type: 'thinking',
        text: asString(block['thinking']) ?? '',
        signature: asString(block['signature']) || undefined,
      };
    case 'redacted_thinking':
      return { type: 'redacted', data: asString(block['data']) ?? '' };
    case 'tool_use': {
      const name = asString(block['name']);
      const input = argumentsText(block['input']);
      if (!name) return { type: 'malformed' };
      const id = asString(block['id']) ?? '';
      return { type: 'tool-use', id, name, input: input === '{}' ? '' : input };
    }
    case 'server_tool_use': {
      const input = argumentsText(block['input']) ?? '';
      if (block['name'] !== 'web_search') return { type: 'other' };
      return {
        type: 'search',
        id: asString(block['id']) ?? '',
        input: input === '{}' ? '' : input,
      };
    }
    case 'web_search_tool_result': {
      const { tool_use_id: id, content } = block;
      return { type: 'search-result', id: asString(id) ?? '', content };
    }
    default:
      return { type: 'other' };
  }
}

function readDelta(delta: JsonObject): WireDelta {
  switch (delta['type']) {
    case 'text_delta':
      return { type: 'text', text: asString(delta['text']) ?? '' };
    case 'thinking_delta':
      return { type: 'thinking', text: asString(delta['thinking']) ?? '' };
    case 'input_json_delta':
      return { type: 'input', text: asString(delta['partial_json']) ?? '' };
    case 'signature_delta':
      return { type: 'signature', text: asString(delta['signature']) ?? '' };
    case 'citations_delta': {
      const citation = asObject(delta['citation']);
      return citation ? { type: 'citation', citation } : { type: 'other' };
    }
    default:
      return { type: 'other' };
  }
}
