import type { StreamPart, TokenUsage } from '@sluice/inference';
import { finishPart } from '../finish-part.ts';
import { asObject } from '../json-reader.ts';
import type { Step } from '../translation.ts';
import { cutPart, declaredFailurePart, malformedPart } from '../upstream-error.ts';
import { unreadUsage } from '../usage-counts.ts';
import { chatStreamError } from './errors.ts';
import { chatFinishReason, isFailedCompletion } from './finish-reason.ts';
import { chatUsage } from './usage.ts';
import type { ChatChunk, ChatEvent, ChatOutput, ChatToolCallDelta } from './wire.ts';

/** Where a chat completion stream is. */
export interface ChatState {
  readonly id: string | undefined;
  readonly started: boolean;
  /** The number of the next part. */
  readonly nextPart: number;
  /** The text, refusal or reasoning that is being said: one at a time. */
  readonly open: { readonly kind: ProseKind; readonly part: number } | undefined;
  /** By `index` of the wire. All stay open until the end: some servers interleave them. */
  readonly tools: ReadonlyMap<number, OpenTool>;
  readonly finishReason: string | undefined;
  /** The last that was told. */
  readonly usage: unknown;
  /** The last that was told. */
  readonly serviceTier: unknown;
  /** `finish` or `error` was told: nothing counts any more. */
  readonly ended: boolean;
}

interface OpenTool {
  readonly part: number;
  readonly id: string | undefined;
}

/** Its thoughts are plain text: whoever wants them back reads them from any server. */
const chatReasoningFormat = 'unknown';

type ProseKind = 'text' | 'refusal' | 'reasoning';

/** More texts, thoughts and calls than this before a call are an attack, not an answer. */
const partsMax = 256;

export const initialChatState: ChatState = {
  id: undefined,
  started: false,
  nextPart: 0,
  open: undefined,
  tools: new Map(),
  finishReason: undefined,
  usage: undefined,
  serviceTier: undefined,
  ended: false,
};

/** What one event of the stream says, in parts. */
export function chatStep(state: ChatState, event: ChatEvent): Step<ChatState> {
  if (state.ended) return [state, []];
  switch (event.type) {
    case 'chunk':
      return chunkStep(state, event.chunk);
    case 'done':
      return finish(state, { isMarked: true });
    case 'error':
      return [
        { ...state, ended: true },
        [{ type: 'error', ...chatStreamError(event.body), usage: usageOf(state) }],
      ];
    case 'malformed':
      return [{ ...state, ended: true }, [malformedPart(usageOf(state))]];
  }
}

function usageOf({ usage }: ChatState): TokenUsage | undefined {
  return chatUsage(asObject(usage));
}

/** The body ended. Without `[DONE]` it counts as complete when the model had finished. */
export function chatEnd(state: ChatState): Step<ChatState> {
  return state.ended ? [state, []] : finish(state, { isMarked: false });
}

function chunkStep(state: ChatState, chunk: ChatChunk): Step<ChatState> {
  const parts: StreamPart[] = [];
  let next = state;
  if (!next.started) {
    next = { ...next, started: true, id: chunk.id };
    parts.push({ type: 'response-start', upstreamId: chunk.id });
  }
  if (chunk.usage !== undefined && chunk.usage !== null) next = { ...next, usage: chunk.usage };
  if (chunk.serviceTier !== undefined && chunk.serviceTier !== next.serviceTier)
    next = { ...next, serviceTier: chunk.serviceTier };
  if (chunk.message && next.finishReason === undefined) {
    next = outputStep(next, chunk.message, parts);
    if (next.ended) return [next, parts];
  }
  if (chunk.finishReason !== undefined && next.finishReason === undefined) {
    next = { ...next, finishReason: chunk.finishReason };
    if (isWhole(next)) next = closeAll(next, parts);
  }
  return [next, parts];
}

/** Adds what a delta says to `parts`. */
function outputStep(state: ChatState, output: ChatOutput, parts: StreamPart[]): ChatState {
  let next = state;
  next = proseStep(next, 'reasoning', output.reasoning, parts);
  next = proseStep(next, 'text', output.text, parts);
  next = proseStep(next, 'refusal', output.refusal, parts);
  for (const call of output.toolCalls) {
    next = toolStep(next, call, parts);
    if (next.ended) return next;
  }
  return next;
}

function proseStep(
  state: ChatState,
  kind: ProseKind,
  delta: string | undefined,
  parts: StreamPart[],
): ChatState {
  if (delta === undefined || delta === '') return state;
  if (state.open?.kind === kind) {
    parts.push({ type: `${kind}-delta`, part: state.open.part, delta });
    return state;
  }
  const part = state.nextPart;
  const closed = closeProse(state, parts);
  parts.push({ type: `${kind}-start`, part }, { type: `${kind}-delta`, part, delta });
  return { ...closed, open: { kind, part }, nextPart: part + 1 };
}

function toolStep(state: ChatState, call: ChatToolCallDelta, parts: StreamPart[]): ChatState {
  const known = state.tools.get(call.index);
  const isNew = known === undefined || isAnother(known, call);
  const next = isNew ? openTool(state, call, parts) : state;
  const part = next.tools.get(call.index)?.part;
  if (part !== undefined && call.arguments !== undefined && call.arguments !== '') {
    parts.push({ type: 'tool-call-delta', part, delta: call.arguments });
  }
  return next;
}

/** Some servers give every call the same index: a name and an id of its own make it another one. */
function isAnother(known: OpenTool, { id, name }: ChatToolCallDelta): boolean {
  return Boolean(name) && Boolean(id) && known.id !== undefined && id !== known.id;
}

/** A call begins with its name; without one, or with too many calls, the stream is malformed. */
function openTool(state: ChatState, call: ChatToolCallDelta, parts: StreamPart[]): ChatState {
  if (call.name === undefined || call.name === '' || state.nextPart >= partsMax) {
    parts.push(malformedPart(usageOf(state)));
    return { ...state, ended: true };
  }
  const part = state.nextPart;
  const closed = closeProse(state, parts);
  const callId = call.id || `call_${state.id ?? ''}_${String(call.index)}`;
  const replaced = state.tools.get(call.index);
  if (replaced) parts.push({ type: 'tool-call-end', part: replaced.part });
  parts.push({ type: 'tool-call-start', part, callId, name: call.name });
  const tools = new Map(state.tools).set(call.index, { part, id: call.id });
  return { ...closed, tools, nextPart: part + 1 };
}

function closeProse(state: ChatState, parts: StreamPart[]): ChatState {
  if (!state.open) return state;
  const { kind, part } = state.open;
  parts.push(
    kind === 'reasoning'
      ? { type: 'reasoning-end', part, replay: { format: chatReasoningFormat } }
      : { type: `${kind}-end`, part },
  );
  return { ...state, open: undefined };
}

function closeAll(state: ChatState, parts: StreamPart[]): ChatState {
  const closed = closeProse(state, parts);
  for (const { part } of closed.tools.values()) parts.push({ type: 'tool-call-end', part });
  return { ...closed, tools: new Map() };
}

/** False when the limit or a filter cut what is open: then it stays open, which says just that. */
function isWhole(state: ChatState): boolean {
  const reason = chatFinishReason(state.finishReason);
  return (
    reason !== 'length' && reason !== 'content-filter' && !isFailedCompletion(state.finishReason)
  );
}

function finish(state: ChatState, { isMarked }: { isMarked: boolean }): Step<ChatState> {
  const isComplete = state.finishReason !== undefined || (isMarked && state.nextPart > 0);
  const usage = usageOf(state);
  if (!isComplete) return [{ ...state, ended: true }, [cutPart(usage)]];
  if (isFailedCompletion(state.finishReason))
    return [{ ...state, ended: true }, [declaredFailurePart(state.finishReason, usage)]];
  const parts: StreamPart[] = [];
  const closed = isWhole(state) ? closeAll(state, parts) : state;
  parts.push(
    ...unreadUsage(state.usage, usage),
    finishPart({
      reason: chatFinishReason(state.finishReason),
      nativeReason: state.finishReason,
      usage,
      hasOutput: state.nextPart > 0,
      serviceTier: state.serviceTier,
    }),
  );
  return [{ ...closed, ended: true }, parts];
}
