import type { Logprob, Phase, StreamPart } from '@sluice/inference';
import type { JsonObject } from '../json-reader.ts';
import type { WireItem } from './items.ts';
import { responsesReasoningFormat } from './request.ts';
import type { ItemState, ProseState, ThoughtState } from './state.ts';

/** Holds the next state of one item and the parts to emit, while one event is applied. Local to one step. */
export interface Growth {
  item: ItemState;
  nextPart: number;
  hasToolCalls: boolean;
  readonly parts: StreamPart[];
}

/** Opens an item when it is added. Texts and thoughts open with their first character. */
export function beginItem(growth: Growth, item: WireItem): void {
  if (item.type === 'call') beginCall(growth, item);
  if (item.type === 'message') withPhase(growth, item.phase);
  if (item.type === 'native' && !growth.item.native) {
    const part = growth.nextPart++;
    growth.parts.push({ type: 'native-start', part, item: item.item });
    growth.item = { ...growth.item, native: { part, item: item.item } };
  }
}

function withPhase(growth: Growth, phase: Phase | undefined): void {
  if (phase !== undefined) growth.item = { ...growth.item, phase };
}

export function addProse(
  growth: Growth,
  prose: {
    readonly kind: 'text' | 'refusal';
    readonly place: number;
    readonly text: string;
    readonly logprobs: readonly Logprob[];
  },
): void {
  const { kind, place, text: delta, logprobs } = prose;
  if (delta === '') return;
  const known = growth.item.texts?.get(place) ?? beginProse(growth, place, kind);
  const { part } = known;
  const extra = logprobs.length > 0 ? { logprobs } : {};
  growth.parts.push(
    known.kind === 'text'
      ? { type: 'text-delta', part, delta, ...extra }
      : { type: 'refusal-delta', part, delta },
  );
}

function beginProse(growth: Growth, place: number, kind: 'text' | 'refusal'): ProseState {
  const begun = { part: growth.nextPart++, kind, annotations: 0 };
  const { phase } = growth.item;
  growth.parts.push(
    kind === 'text'
      ? { type: 'text-start', part: begun.part, ...(phase && { phase }) }
      : { type: 'refusal-start', part: begun.part },
  );
  withText(growth, place, begun);
  return begun;
}

function withText(growth: Growth, place: number, text: ProseState): void {
  growth.item = { ...growth.item, texts: new Map(growth.item.texts).set(place, text) };
}

export function addAnnotation(
  growth: Growth,
  { place, annotation }: { readonly place: number; readonly annotation: JsonObject },
): void {
  const text = growth.item.texts?.get(place);
  if (text?.kind !== 'text') return;
  growth.parts.push({ type: 'text-annotation', part: text.part, annotation });
  withText(growth, place, { ...text, annotations: text.annotations + 1 });
}

export function addThought(growth: Growth, delta: string): void {
  if (delta === '') return;
  const thought = growth.item.thought ?? beginThought(growth);
  growth.parts.push({ type: 'reasoning-delta', part: thought.part, delta });
  growth.item = { ...growth.item, thought: { ...thought, hasContent: true } };
}

export function addSummary(growth: Growth, place: number, delta: string): void {
  if (delta === '') return;
  const thought = growth.item.thought ?? beginThought(growth);
  growth.parts.push({ type: 'reasoning-summary-delta', part: thought.part, summary: place, delta });
  const summaries = Math.max(thought.summaries, place + 1);
  growth.item = { ...growth.item, thought: { ...thought, summaries } };
}

function beginThought(growth: Growth): ThoughtState {
  const thought = { part: growth.nextPart++, summaries: 0, hasContent: false };
  growth.parts.push({ type: 'reasoning-start', part: thought.part });
  growth.item = { ...growth.item, thought };
  return thought;
}

export function addArguments(growth: Growth, delta: string): void {
  const { call } = growth.item;
  if (!call || delta === '') return;
  growth.parts.push({ type: 'tool-call-delta', part: call.part, delta });
  growth.item = { ...growth.item, call: { ...call, hasText: true } };
}

function beginCall(growth: Growth, item: Extract<WireItem, { type: 'call' }>): void {
  if (growth.item.call) return;
  const { callId, name, namespace, isCustom, isAsync } = item;
  const part = growth.nextPart++;
  growth.parts.push({
    type: 'tool-call-start',
    part,
    callId,
    name,
    ...(isCustom && { isCustom }),
    ...(namespace !== undefined && { namespace }),
    ...(isAsync && { isAsync }),
  });
  growth.item = { ...growth.item, call: { part, hasText: false } };
  growth.hasToolCalls = true;
}

/** Closes an item, after emitting content that only its end event contains. A cut item stays open in the parts. */
export function completeItem(growth: Growth, item: WireItem): void {
  switch (item.type) {
    case 'other':
      return;
    case 'message':
      withPhase(growth, item.phase);
      for (const text of item.texts) {
        if (!growth.item.texts?.has(text.place)) addProse(growth, text);
        const known = growth.item.texts?.get(text.place)?.annotations ?? 0;
        for (const annotation of text.annotations.slice(known))
          addAnnotation(growth, { place: text.place, annotation });
      }
      break;
    case 'reasoning':
      completeThought(growth, item);
      break;
    case 'call':
      beginCall(growth, item);
      if (!growth.item.call?.hasText) addArguments(growth, item.text);
      break;
    case 'image':
      growth.parts.push({ type: 'image', part: growth.nextPart++, base64: item.base64 });
      break;
    case 'native': {
      beginItem(growth, item);
      const { native } = growth.item;
      if (native) growth.item = { ...growth.item, native: { ...native, item: item.item } };
    }
  }
  if (!item.isWhole) return;
  growth.parts.push(...endsOf(growth.item, item.type === 'reasoning' ? item.encrypted : undefined));
  growth.item = { ...growth.item, isDone: true };
}

function completeThought(growth: Growth, item: Extract<WireItem, { type: 'reasoning' }>): void {
  for (const [place, text] of item.summaries.entries())
    if (place >= (growth.item.thought?.summaries ?? 0)) addSummary(growth, place, text);
  if (!growth.item.thought?.hasContent) addThought(growth, item.content);
  // An item with only encrypted thoughts gets a part, too.
  if (!growth.item.thought && item.encrypted !== undefined) beginThought(growth);
}

/** Returns true if a part of the item was emitted. */
export function isBegun({ texts, thought, call, native }: ItemState): boolean {
  return texts !== undefined || thought !== undefined || call !== undefined || native !== undefined;
}

/** Returns the end of each part that the item began. */
export function endsOf(item: ItemState, encrypted?: string): readonly StreamPart[] {
  const ends: StreamPart[] = [];
  for (const { kind, part } of item.texts?.values() ?? []) ends.push({ type: `${kind}-end`, part });
  if (item.thought) {
    const { part } = item.thought;
    const replay = { encrypted: encrypted ?? '', format: responsesReasoningFormat };
    ends.push({ type: 'reasoning-end', part, ...(encrypted !== undefined && { replay }) });
  }
  if (item.call) ends.push({ type: 'tool-call-end', part: item.call.part });
  if (item.native) ends.push({ type: 'native-end', ...item.native });
  return ends;
}
