import type { Logprob } from '@sluice/inference';
import {
  asArray,
  asObject,
  asString,
  asWord,
  exactAt,
  firstChoice,
  type JsonObject,
} from '../json-reader.ts';
import { argumentsText } from '../call-arguments.ts';
import { readLogprobs } from './logprobs.ts';
import { type PartialArg, readPartialArgs } from './partial-args.ts';

/** One event of a stream, or a whole body, as far as Sluice reads it. */
export type GeminiEvent =
  | { readonly type: 'chunk'; readonly chunk: GeminiChunk }
  | { readonly type: 'error'; readonly event: JsonObject }
  | { readonly type: 'malformed' };

export interface GeminiChunk {
  readonly id: string | undefined;
  /** The parts of the first candidate. Sluice never asks for more. */
  readonly parts: readonly WirePart[];
  readonly finishReason: string | undefined;
  /** The reason why Gemini refused the prompt. */
  readonly blockReason: string | undefined;
  /** Unchecked. */
  readonly usage: unknown;
}

export type WirePart =
  | { readonly type: 'thought'; readonly text: string }
  | { readonly type: 'text'; readonly text: string; readonly logprobs?: readonly Logprob[] }
  | {
      readonly type: 'call';
      readonly id: string | undefined;
      /** Empty in the later pieces of a call. */
      readonly name: string;
      /** Empty if there are none. */
      readonly arguments: string;
      /** Pieces of the arguments, beside or in place of the whole. */
      readonly pieces: readonly PartialArg[];
      /** More pieces of this call follow. */
      readonly isOpen: boolean;
      readonly signature: string | undefined;
    }
  | { readonly type: 'malformed' }
  | {
      readonly type: 'image';
      readonly base64: string;
      readonly mediaType: string;
      readonly signature: string | undefined;
    };

/** Parses an event, or a whole body. The arguments of a call pass on as they are. */
export const parseGenerated = exactAt(
  'candidates[].content.parts[].functionCall.args',
  'candidates[].content.parts[].functionCall.partialArgs',
);

/** Returns true for a chunk or an error. */
export function isGeminiEvent(body: JsonObject): boolean {
  return fields.some((field) => body[field] !== undefined) || asObject(body['error']) !== undefined;
}

const fields = ['candidates', 'usageMetadata', 'promptFeedback', 'responseId'];

export function readGeminiBody(body: unknown): GeminiEvent {
  const object = asObject(body);
  if (!object) return { type: 'malformed' };
  if (asObject(object['error'])) return { type: 'error', event: object };
  const candidate = firstChoice(object['candidates']);
  const content = asObject(candidate?.['content']);
  return {
    type: 'chunk',
    chunk: {
      id: asWord(object['responseId']),
      parts: withLogprobs(
        asArray(content?.['parts']).flatMap(readPart),
        readLogprobs(asObject(candidate?.['logprobsResult'])),
      ),
      finishReason: asWord(candidate?.['finishReason']),
      blockReason: asWord(asObject(object['promptFeedback'])?.['blockReason']),
      usage: object['usageMetadata'],
    },
  };
}

/** The tokens of a chunk stand beside its first text: Gemini does not say which part each belongs to. */
function withLogprobs(
  parts: readonly WirePart[],
  logprobs: readonly Logprob[],
): readonly WirePart[] {
  if (logprobs.length === 0) return parts;
  const first = parts.find(({ type }) => type === 'text');
  return parts.map((part) =>
    part === first && part.type === 'text' ? { ...part, logprobs } : part,
  );
}

const imageType = /^image\/[a-z0-9.+-]{1,40}$/;

function readPart(value: unknown): readonly WirePart[] {
  const part = asObject(value);
  const call = asObject(part?.['functionCall']);
  const signature = asString(part?.['thoughtSignature']);
  if (call) return readCall(call, signature);
  const image = asObject(part?.['inlineData']);
  const base64 = asString(image?.['data']);
  const mediaType = asString(image?.['mimeType']) ?? '';
  if (base64 && imageType.test(mediaType)) return [{ type: 'image', base64, mediaType, signature }];
  const text = asString(part?.['text']);
  if (text === undefined || text === '') return [];
  return [{ type: part?.['thought'] === true ? 'thought' : 'text', text }];
}

function readCall(call: JsonObject, signature: string | undefined): readonly WirePart[] {
  const text = argumentsText(call['args']);
  const pieces = readPartialArgs(call['partialArgs']);
  if (!pieces) return [{ type: 'malformed' }];
  return [
    {
      type: 'call',
      id: asWord(call['id']),
      name: asString(call['name']) ?? '',
      arguments: text,
      pieces,
      isOpen: call['willContinue'] === true,
      signature,
    },
  ];
}
