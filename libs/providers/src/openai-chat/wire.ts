import type { Logprob } from '@sluice/inference';
import {
  asIndex,
  asObject,
  asString,
  asWord,
  exactAt,
  firstChoice,
  type JsonObject,
} from '../json-reader.ts';
import { readLogprobs } from '../logprobs.ts';
import { argumentsText } from '../call-arguments.ts';
import { isReplayable, readDetails, type ReasoningDetail } from './details.ts';
import { readSources, type Source } from './sources.ts';

/** One `data:` line of a chat completion stream, reduced to the fields that Sluice reads. */
export type ChatEvent =
  | { readonly type: 'chunk'; readonly chunk: ChatChunk }
  | { readonly type: 'error'; readonly body: JsonObject }
  | { readonly type: 'done' }
  | { readonly type: 'malformed' };

export interface ChatChunk {
  readonly id: string | undefined;
  /** The message of the first choice. Sluice never asks for more. */
  readonly message: ChatOutput | undefined;
  /** The log probabilities of the message's text. */
  readonly logprobs: readonly Logprob[];
  readonly finishReason: string | undefined;
  /** The pages that the answer cites, if the chunk names any. */
  readonly sources: readonly Source[];
  /** Unchecked. */
  readonly usage: unknown;
  /** The tier that served the request, unchecked. */
  readonly serviceTier: unknown;
}

/** A message, or the delta of one. */
export interface ChatOutput {
  readonly text: string | undefined;
  readonly refusal: string | undefined;
  readonly reasoning: string | undefined;
  /** Thoughts with what their maker wants back. If they have texts, `reasoning` repeats these and is undefined. */
  readonly details: readonly ReasoningDetail[];
  readonly toolCalls: readonly ChatToolCallDelta[];
  readonly images: readonly ChatImage[];
}

/** A picture, whole. */
export interface ChatImage {
  readonly base64: string;
  readonly mediaType: string;
}

export interface ChatToolCallDelta {
  readonly index: number;
  readonly id: string | undefined;
  readonly name: string | undefined;
  /** Empty if there are none, undefined if they are no text and no object. */
  readonly arguments: string;
}

/** Parses a whole completion. The arguments of a call pass on as they are. */
export const parseCompletion = exactAt(
  'choices[].message.tool_calls[].function.arguments',
  'choices[].message.function_call.arguments',
);
export const parseChunk = exactAt(
  'choices[].delta.tool_calls[].function.arguments',
  'choices[].delta.function_call.arguments',
);

/** Returns true for a chunk or an error. A chunk without choices has the usage, or what a filter says of the prompt. */
export function isChatEvent(body: JsonObject): boolean {
  return (
    Array.isArray(body['choices']) ||
    isPresent(body['error']) ||
    isPresent(body['usage']) ||
    body['object'] === 'chat.completion.chunk' ||
    body['x_groq'] !== undefined
  );
}

export function readChatEvent(body: JsonObject): ChatEvent {
  const error = body['error'] ?? asObject(body['x_groq'])?.['error'];
  if (isPresent(error)) return { type: 'error', body: { error } };
  return { type: 'chunk', chunk: readChatBody(body, 'delta') };
}

/** Reads a chunk or a whole completion. They differ only in the name of the message field. */
export function readChatBody(body: JsonObject, messageField: 'delta' | 'message'): ChatChunk {
  const choice = firstChoice(body['choices']);
  const message = asObject(choice?.[messageField]);
  return {
    id: asWord(body['id']),
    message: message && readChatOutput(message),
    logprobs: readLogprobs(asObject(choice?.['logprobs'])?.['content']),
    finishReason: asWord(choice?.['finish_reason']),
    sources: readSources(body, message),
    usage: usageOf(body, choice),
    serviceTier: body['service_tier'],
  };
}

/** Returns the usage of a chunk. Groq sends it in `x_groq`, Moonshot in the choice. */
function usageOf(body: JsonObject, choice: JsonObject | undefined): unknown {
  return body['usage'] ?? asObject(body['x_groq'])?.['usage'] ?? choice?.['usage'];
}

export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function readChatOutput(message: JsonObject): ChatOutput {
  const { content } = message;
  const thought = thoughtOf(message);
  const all = readDetails(message['reasoning_details']);
  const details = thought && all.length > 0 ? all.filter(isReplayable) : all;
  const isTold = details.some(({ text }) => text !== '');
  return {
    details,
    text: textOf(content, 'text'),
    refusal: asString(message['refusal']),
    reasoning: isTold ? undefined : thought,
    toolCalls: readToolCalls(message),
    images: readImages(message['images']),
  };
}

function thoughtOf(message: JsonObject): string | undefined {
  const { content } = message;
  return (
    asString(message['reasoning_content']) ||
    asString(message['reasoning']) ||
    (Array.isArray(content) ? textOf(content, 'thinking') : undefined)
  );
}

const noImages: readonly ChatImage[] = [];

function readImages(images: unknown): readonly ChatImage[] {
  return Array.isArray(images) && images.length > 0 ? images.flatMap(readImage) : noImages;
}

const imageHead = /^data:(image\/[a-z0-9.+-]{1,64});base64,/i;

/** Reads a picture that OpenRouter and others put beside the text. A link is omitted: nothing would keep its bytes. */
function readImage(value: unknown): readonly ChatImage[] {
  const url = asString(asObject(asObject(value)?.['image_url'])?.['url']) ?? '';
  const [head, mediaType] = imageHead.exec(url) ?? [];
  if (head === undefined || mediaType === undefined || head.length === url.length) return [];
  return [{ base64: url.slice(head.length), mediaType: mediaType.toLowerCase() }];
}

const noCalls: readonly ChatToolCallDelta[] = [];

/** Reads the calls of a message. Old servers send the only one in `function_call`. */
function readToolCalls(message: JsonObject): readonly ChatToolCallDelta[] {
  const { tool_calls: calls, function_call: only } = message;
  if (Array.isArray(calls) && calls.length > 0) return calls.flatMap(readToolCall);
  return asObject(only) ? readToolCall({ function: only }, 0) : noCalls;
}

/** Returns the text of one kind. Mistral sends a list in which thoughts and texts alternate, others a string. */
function textOf(content: unknown, kind: 'text' | 'thinking'): string | undefined {
  if (!Array.isArray(content)) return asString(content);
  const pieces = content.map(asObject).filter((piece) => piece?.['type'] === kind);
  return pieces.map((piece) => textOf(piece?.[kind], 'text') ?? '').join('');
}

function readToolCall(value: unknown, place: number): readonly ChatToolCallDelta[] {
  const call = asObject(value);
  const called = asObject(call?.['function']);
  if (!call || !called) return [];
  return [
    {
      index: asIndex(call['index']) ?? place,
      id: asString(call['id']),
      name: asString(called['name']),
      arguments: argumentsText(called['arguments']),
    },
  ];
}
