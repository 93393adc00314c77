import { messageRule } from './rules.ts';

export type Loose = Readonly<Record<string, unknown>>;

export interface Block {
  readonly type: string;
  readonly id?: string;
  readonly name?: string;
  readonly [name: string]: unknown;
}

export interface Delta {
  readonly type: string;
  readonly text?: string;
  readonly thinking?: string;
  readonly signature?: string;
  readonly partial_json?: string;
}

export interface StartedMessage {
  readonly id: string;
  readonly content: readonly unknown[];
  readonly usage: Loose;
  readonly [name: string]: unknown;
}

export type MessageEvent =
  | { readonly type: 'message_start'; readonly message: StartedMessage }
  | { readonly type: 'content_block_start'; readonly index: number; readonly content_block: Block }
  | { readonly type: 'content_block_delta'; readonly index: number; readonly delta: Delta }
  | { readonly type: 'content_block_stop'; readonly index: number }
  | {
      readonly type: 'message_delta';
      readonly delta: { readonly stop_reason: string | null };
      readonly usage: Loose;
    }
  | { readonly type: 'message_stop'; readonly service_metadata?: Loose }
  | { readonly type: 'ping' }
  | { readonly type: 'error'; readonly error: Loose; readonly request_id: string | null };

const isObject = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isNumber = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
const isTyped = (value: unknown) => isObject(value) && typeof value['type'] === 'string';

/** Checks that the fields of each type of event are there. */
const shapes: Readonly<Record<MessageEvent['type'], (event: Loose) => boolean>> = {
  message_start: ({ message }) =>
    isObject(message) &&
    typeof message['id'] === 'string' &&
    typeof message['model'] === 'string' &&
    Array.isArray(message['content']) &&
    isObject(message['usage']),
  content_block_start: ({ index, content_block: block }) => isNumber(index) && isTyped(block),
  content_block_delta: ({ index, delta }) => isNumber(index) && isTyped(delta),
  content_block_stop: ({ index }) => isNumber(index),
  message_delta: ({ delta, usage }) =>
    isObject(delta) &&
    'stop_sequence' in delta &&
    (delta['stop_reason'] === null || typeof delta['stop_reason'] === 'string') &&
    isObject(usage),
  message_stop: () => true,
  ping: () => true,
  error: ({ error }) =>
    isObject(error) && typeof error['type'] === 'string' && typeof error['message'] === 'string',
};

export function shapedEvent(data: unknown): MessageEvent {
  const type = isObject(data) ? String(data['type']) : '';
  const isShaped = isObject(data) && isKnown(type) && shapes[type](data);
  messageRule('shape', isShaped, () => JSON.stringify(data).slice(0, 120));
  return data as unknown as MessageEvent;
}

function isKnown(type: string): type is MessageEvent['type'] {
  return Object.hasOwn(shapes, type);
}
