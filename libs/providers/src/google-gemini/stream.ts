import { isOutput, type Logprob, type StreamPart } from '@sluice/inference';
import { finishPart } from '../finish-part.ts';
import { asObject, type JsonObject } from '../json-reader.ts';
import type { Step } from '../stream-reader.ts';
import { cutPart, declaredFailurePart, malformedPart } from '../upstream-error.ts';
import { unreadUsage } from '../usage-counts.ts';
import { geminiReasoningFormat } from './contents.ts';
import { geminiStreamError } from './errors.ts';
import { geminiFinishReason, isFailedGeneration } from './finish-reason.ts';
import { geminiUsage } from './usage.ts';
import { PartialArgs } from './partial-args.ts';
import type { GeminiChunk, GeminiEvent, WirePart } from './wire.ts';

/** The state of a generateContent stream. */
export interface GeminiState {
  readonly id: string | undefined;
  readonly started: boolean;
  readonly nextPart: number;
  /** The text or thought in progress. Only one is open at a time. */
  readonly open: { readonly kind: 'text' | 'thought'; readonly part: number } | undefined;
  readonly hasToolCalls: boolean;
  /** The call whose arguments arrive in pieces. */
  readonly call: { readonly part: number; readonly args: PartialArgs } | undefined;
  readonly finishReason: string | undefined;
  /** Gemini refused the prompt. */
  readonly isBlocked: boolean;
  /** The latest usage. Each report replaces the one before. */
  readonly usage: JsonObject | undefined;
  /** A `finish` or `error` part was emitted. Later events are ignored. */
  readonly ended: boolean;
}

/** Bounds the parts of one generation. No real answer has more. */
const partsMax = 1_024;

export const initialGeminiState: GeminiState = {
  id: undefined,
  started: false,
  nextPart: 0,
  open: undefined,
  hasToolCalls: false,
  call: undefined,
  finishReason: undefined,
  isBlocked: false,
  usage: undefined,
  ended: false,
};

/** Translates one event of the stream into parts. */
export function geminiStep(state: GeminiState, event: GeminiEvent): Step<GeminiState> {
  if (state.ended) return [state, []];
  switch (event.type) {
    case 'chunk':
      return chunkStep(state, event.chunk);
    case 'error': {
      const usage = geminiUsage(state.usage);
      const error = geminiStreamError(event.event);
      return [{ ...state, ended: true }, [{ type: 'error', ...error, usage }]];
    }
    case 'malformed':
      return malformed(state);
  }
}

/** Handles the end of the body. Without a finish reason the answer was cut. */
export function geminiEnd(state: GeminiState): Step<GeminiState> {
  if (state.ended) return [state, []];
  if (state.finishReason === undefined)
    return [{ ...state, ended: true }, [cutPart(geminiUsage(state.usage))]];
  return finish(state);
}

function malformed(state: GeminiState): Step<GeminiState> {
  return [{ ...state, ended: true }, [malformedPart(geminiUsage(state.usage))]];
}

function chunkStep(state: GeminiState, chunk: GeminiChunk): Step<GeminiState> {
  const parts: StreamPart[] = [];
  let next: GeminiState = {
    ...state,
    id: state.id ?? chunk.id,
    started: true,
    usage: asObject(chunk.usage) ?? state.usage,
    finishReason: chunk.finishReason ?? chunk.blockReason ?? state.finishReason,
    isBlocked: state.isBlocked || chunk.blockReason !== undefined,
  };
  if (!state.started) parts.push({ type: 'response-start', upstreamId: chunk.id });
  for (const part of chunk.parts) {
    const changed = part.type === 'malformed' ? undefined : partStep(next, part, parts);
    if (!changed || changed.nextPart > partsMax) {
      const [ended, ends] = malformed(next);
      return [ended, [...parts.filter((begun) => !isOutput(begun)), ...ends]];
    }
    next = changed;
  }
  return [next, parts];
}

/** Appends the content of a wire part to `parts`. Returns undefined if the part is malformed. */
function partStep(
  state: GeminiState,
  part: Exclude<WirePart, { type: 'malformed' }>,
  parts: StreamPart[],
): GeminiState | undefined {
  switch (part.type) {
    case 'text':
      return textStep(state, part.text, part.logprobs, parts);
    case 'thought':
      return thoughtStep(state, part.text, parts);
    case 'image': {
      const closed = closeSigned(state, part.signature, parts);
      const { base64, mediaType } = part;
      parts.push({ type: 'image', part: closed.nextPart, base64, mediaType });
      return { ...closed, nextPart: closed.nextPart + 1 };
    }
    case 'call':
      return callStep(state, part, parts);
  }
}

function textStep(
  state: GeminiState,
  delta: string,
  logprobs: readonly Logprob[] | undefined,
  parts: StreamPart[],
): GeminiState {
  const [next, part] = prose(state, 'text', parts);
  parts.push({ type: 'text-delta', part, delta, ...(logprobs && { logprobs }) });
  return next;
}

function thoughtStep(state: GeminiState, delta: string, parts: StreamPart[]): GeminiState {
  const [next, part] = prose(state, 'thought', parts);
  parts.push({ type: 'reasoning-summary-delta', part, summary: 0, delta });
  return next;
}

/** Returns the part in progress, which it opens if another kind was in progress. */
function prose(
  state: GeminiState,
  kind: 'text' | 'thought',
  parts: StreamPart[],
): readonly [next: GeminiState, part: number] {
  if (state.open?.kind === kind) return [state, state.open.part];
  const next = openProse(closeProse(state, parts), kind, parts);
  return [next, state.nextPart];
}

function openProse(state: GeminiState, kind: 'text' | 'thought', parts: StreamPart[]): GeminiState {
  const part = state.nextPart;
  parts.push({ type: kind === 'text' ? 'text-start' : 'reasoning-start', part });
  return { ...state, open: { kind, part }, nextPart: part + 1 };
}

function closeProse(state: GeminiState, parts: StreamPart[], signature?: string): GeminiState {
  if (!state.open) return state;
  const { kind, part } = state.open;
  if (kind === 'text') parts.push({ type: 'text-end', part });
  else parts.push(thoughtEnd(part, signature));
  return { ...state, open: undefined };
}

function thoughtEnd(part: number, signature: string | undefined): StreamPart {
  const replay = { signature: signature ?? '', format: geminiReasoningFormat };
  return { type: 'reasoning-end', part, ...(signature !== undefined && { replay }) };
}

/** Closes the prose before a call or a picture. Its signature must be replayed with the thought before it. */
function closeSigned(
  state: GeminiState,
  signature: string | undefined,
  parts: StreamPart[],
): GeminiState {
  const hasThought = state.open?.kind === 'thought';
  const thinking =
    signature !== undefined && !hasThought
      ? openProse(closeProse(state, parts), 'thought', parts)
      : state;
  return closeProse(thinking, parts, signature);
}

/** Emits a call. One whose arguments arrive in pieces gets them when the last piece is there. */
function callStep(
  state: GeminiState,
  call: Extract<WirePart, { type: 'call' }>,
  parts: StreamPart[],
): GeminiState | undefined {
  const begun = state.call ? state : beginCall(state, call, parts);
  const open = begun?.call;
  if (!begun || !open?.args.add(call.pieces)) return undefined;
  if (call.arguments !== '')
    parts.push({ type: 'tool-call-delta', part: open.part, delta: call.arguments });
  return call.isOpen ? begun : endCall(begun, parts);
}

function beginCall(
  state: GeminiState,
  { id, name, signature }: Extract<WirePart, { type: 'call' }>,
  parts: StreamPart[],
): GeminiState | undefined {
  if (name === '') return undefined;
  const closed = closeSigned(state, signature, parts);
  const part = closed.nextPart;
  parts.push({ type: 'tool-call-start', part, callId: id ?? '', name });
  const call = { part, args: new PartialArgs() };
  return { ...closed, nextPart: part + 1, hasToolCalls: true, call };
}

function endCall(state: GeminiState, parts: StreamPart[]): GeminiState {
  if (!state.call) return state;
  const { part, args } = state.call;
  if (!args.isEmpty) parts.push({ type: 'tool-call-delta', part, delta: args.text });
  parts.push({ type: 'tool-call-end', part });
  return { ...state, call: undefined };
}

function finish(state: GeminiState): Step<GeminiState> {
  const parts: StreamPart[] = [];
  const usage = geminiUsage(state.usage);
  if (isFailedGeneration(state.finishReason))
    return [{ ...state, ended: true }, [declaredFailurePart(state.finishReason, usage)]];
  const reason = geminiFinishReason(state.finishReason, state);
  const isCut = reason === 'length' || reason === 'content-filter';
  const closed = isCut ? state : endCall(closeProse(state, parts), parts);
  parts.push(
    ...unreadUsage(state.usage, usage),
    finishPart({
      reason,
      nativeReason: state.finishReason,
      usage,
      hasOutput: state.nextPart > 0,
      serviceTier: state.usage?.['serviceTier'],
    }),
  );
  return [{ ...closed, ended: true }, parts];
}
