import type { Logprob, StreamPart, TokenUsage } from '@sluice/inference';
import { finishPart } from '../finish-part.ts';
import { asObject } from '../json-reader.ts';
import type { Step } from '../stream-reader.ts';
import { cutPart, declaredFailurePart, malformedPart } from '../upstream-error.ts';
import { unreadUsage } from '../usage-counts.ts';
import { chatStreamError } from './errors.ts';
import { chatFinishReason, isFailedCompletion } from './finish-reason.ts';
import { chatReasoningFormat, joinThought, type ReasoningDetail } from './details.ts';
import { citationOf, joinSources } from './sources.ts';
import { type ChatState, type Draft, noTools, type OpenTool, type ProseKind } from './state.ts';
import { chatUsage } from './usage.ts';
import type { ChatChunk, ChatEvent, ChatImage, ChatOutput, ChatToolCallDelta } from './wire.ts';

/** Bounds the parts before a call or a picture. No real answer has more. */
const partsMax = 256;

/** Translates one event of the stream into parts. */
export function chatStep(state: ChatState, event: ChatEvent): Step<ChatState> {
  if (state.ended) return [state, []];
  switch (event.type) {
    case 'chunk':
      return chunkStep(state, event.chunk);
    case 'done':
      return finish(state, { isComplete: state.hasFinalUsage });
    case 'error':
      return [
        { ...state, ended: true },
        [{ type: 'error', ...chatStreamError(event.body), usage: usageOf(state) }],
      ];
    case 'malformed':
      return [{ ...state, ended: true }, [malformedPart(usageOf(state))]];
  }
}

/** Returns the usage that was reported so far. */
export function usageOf({ usage }: ChatState): TokenUsage | undefined {
  return chatUsage(asObject(usage));
}

/**
 * Handles the end of the body. An answer is complete if it has a finish reason. `[DONE]` without one says nothing,
 * because servers send it after a failure too. It counts after the chunk with the usage alone, which comes last.
 */
export function chatEnd(state: ChatState): Step<ChatState> {
  return state.ended ? [state, []] : finish(state, { isComplete: false });
}

/** Handles the end of a whole body, which cannot be cut. */
export function chatWholeEnd(state: ChatState): Step<ChatState> {
  return state.ended ? [state, []] : finish(state, { isComplete: true });
}

function chunkStep(state: ChatState, chunk: ChatChunk): Step<ChatState> {
  const parts: StreamPart[] = [];
  const next: Draft = { ...state };
  if (!next.started) {
    next.started = true;
    next.id = chunk.id;
    parts.push({ type: 'response-start', upstreamId: chunk.id });
  }
  const hasUsage = chunk.usage !== undefined && chunk.usage !== null;
  if (hasUsage) next.usage = chunk.usage;
  next.hasFinalUsage = hasUsage && chunk.message === undefined;
  next.sources = joinSources(next.sources, chunk.sources);
  if (chunk.serviceTier !== undefined) next.serviceTier = chunk.serviceTier;
  if (chunk.message && next.finishReason === undefined) {
    outputStep(next, chunk.message, chunk.logprobs, parts);
    if (next.ended) return [next, parts];
  }
  if (chunk.finishReason !== undefined && next.finishReason === undefined) {
    next.finishReason = chunk.finishReason;
    if (isWhole(next)) closeAll(next, parts);
  }
  return [next, parts];
}

/** Appends the content of a delta to `parts`. */
function outputStep(
  next: Draft,
  output: ChatOutput,
  logprobs: readonly Logprob[],
  parts: StreamPart[],
): void {
  for (const detail of output.details) detailStep(next, detail, parts);
  proseStep(next, 'reasoning', output.reasoning, parts);
  proseStep(next, 'text', output.text, parts, logprobs);
  proseStep(next, 'refusal', output.refusal, parts);
  for (const image of output.images) {
    imageStep(next, image, parts);
    if (next.ended) return;
  }
  for (const call of output.toolCalls) {
    toolStep(next, call, parts);
    if (next.ended) return;
  }
}

/** Constant part types. To build and compare a new string for each delta costs more than the rest of its work. */
const proseParts = {
  text: { start: 'text-start', delta: 'text-delta' },
  refusal: { start: 'refusal-start', delta: 'refusal-delta' },
  reasoning: { start: 'reasoning-start', delta: 'reasoning-delta' },
} as const;

function proseStep(
  next: Draft,
  kind: ProseKind,
  delta: string | undefined,
  parts: StreamPart[],
  logprobs: readonly Logprob[] = [],
): void {
  if (delta === undefined || delta === '') return;
  const names = proseParts[kind];
  if (next.open?.kind !== kind) {
    const part = begin(next, kind, parts);
    parts.push({ type: names.start, part });
  }
  const { open } = next;
  if (!open) return;
  const { part } = open;
  if (kind === 'text' && logprobs.length > 0)
    parts.push({ type: 'text-delta', part, delta, logprobs });
  else parts.push({ type: names.delta, part, delta });
  next.open = { ...open, length: open.length + delta.length };
}

/** Begins a text, a refusal or a thought. Returns its part. */
function begin(next: Draft, kind: ProseKind, parts: StreamPart[]): number {
  closeProse(next, parts);
  const part = next.nextPart;
  next.open = { kind, part, length: 0 };
  next.nextPart += 1;
  return part;
}

/** Appends a piece of a thought. A piece with another index begins the next thought. */
function detailStep(next: Draft, detail: ReasoningDetail, parts: StreamPart[]): void {
  const { text, signature, encrypted, format, index } = detail;
  if (text === '' && signature === undefined && encrypted === undefined) return;
  const before = next.open?.kind === 'reasoning' ? next.open : undefined;
  const known = before?.thought;
  const isSame = known?.index === undefined || index === undefined || known.index === index;
  const isNew = !before || !isSame;
  const part = isNew ? begin(next, 'reasoning', parts) : before.part;
  if (isNew) parts.push({ type: 'reasoning-start', part, format });
  if (text !== '' && detail.isSummary)
    parts.push({ type: 'reasoning-summary-delta', part, summary: 0, delta: text });
  else if (text !== '') parts.push({ type: 'reasoning-delta', part, delta: text });
  const length = (isNew ? 0 : before.length) + text.length;
  const thought = joinThought(isNew ? undefined : known, detail);
  next.open = { kind: 'reasoning', part, length, thought };
}

function imageStep(next: Draft, image: ChatImage, parts: StreamPart[]): void {
  if (next.nextPart >= partsMax) return malformed(next, parts);
  closeProse(next, parts);
  parts.push({ type: 'image', part: next.nextPart, ...image });
  next.nextPart += 1;
}

function malformed(next: Draft, parts: StreamPart[]): void {
  parts.push(malformedPart(usageOf(next)));
  next.ended = true;
}

function toolStep(next: Draft, call: ChatToolCallDelta, parts: StreamPart[]): void {
  const known = next.tools.get(call.index);
  const earlier = known && !isAnother(known, call) ? known : undefined;
  if (earlier?.part !== undefined) return pushArguments(earlier.part, call.arguments, parts);
  if (next.tools.size >= partsMax || next.nextPart >= partsMax) return malformed(next, parts);
  const waiting = (earlier?.waiting ?? '') + call.arguments;
  const id = earlier?.id || call.id;
  if (!call.name)
    next.tools = new Map(next.tools).set(call.index, { part: undefined, id, waiting });
  else pushArguments(openTool(next, { ...call, id, name: call.name }, parts), waiting, parts);
}

function pushArguments(part: number, delta: string, parts: StreamPart[]): void {
  if (delta !== '') parts.push({ type: 'tool-call-delta', part, delta });
}

/** Returns true if a delta begins another call. Some servers send the same index for every call. */
function isAnother(known: OpenTool, { id, name }: ChatToolCallDelta): boolean {
  return Boolean(name) && Boolean(id) && known.id !== undefined && id !== known.id;
}

/** Opens a call and returns its part. */
function openTool(
  next: Draft,
  { index, id, name }: { index: number; id: string | undefined; name: string },
  parts: StreamPart[],
): number {
  const part = next.nextPart;
  closeProse(next, parts);
  const replaced = next.tools.get(index)?.part;
  if (replaced !== undefined) parts.push({ type: 'tool-call-end', part: replaced });
  parts.push({ type: 'tool-call-start', part, callId: id ?? '', name });
  next.tools = new Map(next.tools).set(index, { part, id });
  next.nextPart = part + 1;
  return part;
}

function closeProse(next: Draft, parts: StreamPart[]): void {
  if (!next.open) return;
  const { kind, part, thought } = next.open;
  if (kind === 'text') cite(next, parts);
  if (kind === 'reasoning') {
    const { index: _index, ...replay } = thought ?? { index: 0, format: chatReasoningFormat };
    parts.push({ type: 'reasoning-end', part, replay });
  } else parts.push({ type: `${kind}-end`, part });
  next.open = undefined;
}

/** Emits the sources as annotations of the open text, once. */
function cite(next: Draft, parts: StreamPart[]): void {
  const { open, sources } = next;
  if (open?.kind !== 'text' || next.hasCited || sources.length === 0) return;
  for (const source of sources) {
    const annotation = citationOf(source, open.length);
    parts.push({ type: 'text-annotation', part: open.part, annotation });
  }
  next.hasCited = true;
}

/** Closes all parts. Only the calls without a name stay. */
function closeAll(next: Draft, parts: StreamPart[]): void {
  closeProse(next, parts);
  const unnamed = new Map<number, OpenTool>();
  for (const [index, tool] of next.tools)
    if (tool.part === undefined) unnamed.set(index, tool);
    else parts.push({ type: 'tool-call-end', part: tool.part });
  next.tools = unnamed.size > 0 ? unnamed : noTools;
}

/** Returns false if the output limit, a filter or a failure cut the answer. Its open parts then get no end. */
function isWhole(state: ChatState): boolean {
  const reason = chatFinishReason(state.finishReason);
  return (
    reason !== 'length' && reason !== 'content-filter' && !isFailedCompletion(state.finishReason)
  );
}

function finish(state: ChatState, { isComplete }: { isComplete: boolean }): Step<ChatState> {
  const next: Draft = { ...state, ended: true };
  const usage = usageOf(state);
  if (state.finishReason === undefined && (!isComplete || state.nextPart === 0))
    return [next, [cutPart(usage)]];
  if (isFailedCompletion(state.finishReason))
    return [next, [declaredFailurePart(state.finishReason, usage)]];
  const parts: StreamPart[] = [];
  cite(next, parts);
  if (isWhole(state)) closeAll(next, parts);
  // The name of a call never came.
  if (isWhole(state) && next.tools.size > 0) return [next, [malformedPart(usage)]];
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
  return [next, parts];
}
