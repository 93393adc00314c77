import type { Logprob, Phase, StreamPart } from '@sluice/inference';
import type { JsonObject } from '../json-reader.ts';
import type { WireItem } from './items.ts';
import type { ItemState, ProseState, ThoughtState } from './state.ts';

/** Holds the next state of one item and the parts to emit, while one event is applied. Local to one step. */
export interface Growth {
  item: ItemState;
  nextPart: number;
  hasToolCalls: boolean;
  isMalformed: boolean;
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

export function withPhase(growth: Growth, phase: Phase | undefined): void {
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
  known.sent.text += delta;
  const extra = logprobs.length > 0 ? { logprobs } : {};
  growth.parts.push(
    known.kind === 'text'
      ? { type: 'text-delta', part, delta, ...extra }
      : { type: 'refusal-delta', part, delta },
  );
}

function beginProse(growth: Growth, place: number, kind: 'text' | 'refusal'): ProseState {
  const begun = { part: growth.nextPart++, kind, annotations: 0, sent: { text: '' } };
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
  thought.content.text += delta;
}

/** Bounds the summaries of a thought that are compared. No real thought has more. */
const summariesMax = 1_024;

export function addSummary(growth: Growth, place: number, delta: string): void {
  if (delta === '') return;
  const thought = growth.item.thought ?? beginThought(growth);
  growth.parts.push({ type: 'reasoning-summary-delta', part: thought.part, summary: place, delta });
  const known = thought.summaries[place];
  if (known) known.text += delta;
  else if (place < summariesMax) {
    const summaries = [...thought.summaries];
    while (summaries.length < place) summaries.push({ text: '' });
    summaries.push({ text: delta });
    growth.item = { ...growth.item, thought: { ...thought, summaries } };
  }
}

export function beginThought(growth: Growth): ThoughtState {
  const thought = { part: growth.nextPart++, summaries: [], content: { text: '' } };
  growth.parts.push({ type: 'reasoning-start', part: thought.part });
  growth.item = { ...growth.item, thought };
  return thought;
}

export function addArguments(growth: Growth, delta: string): void {
  const { call } = growth.item;
  if (!call || delta === '') return;
  growth.parts.push({ type: 'tool-call-delta', part: call.part, delta });
  call.sent.text += delta;
}

export function beginCall(growth: Growth, item: Extract<WireItem, { type: 'call' }>): void {
  if (growth.item.call || item.name === '') return;
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
  growth.item = { ...growth.item, call: { part, isCustom, sent: { text: '' } } };
  growth.hasToolCalls = true;
}
