import type { InputItem } from '@sluice/inference';

/** Items that stay or go together: an answer of the model, its calls of tools and their outputs. */
export interface Unit {
  /** Places in the list of items, in order. */
  readonly places: readonly number[];
  readonly isKept: boolean;
}

/** Returns the number of the first items that a provider caches as they are. */
export function cachedEndOf(items: readonly InputItem[]): number {
  return items.findLastIndex(isMarked) + 1;
}

/** Returns the place of the last turn: that of the last question, or of the last answer if its tools are called. */
export function lastTurnOf(items: readonly InputItem[]): number {
  const last = items.findLastIndex(
    (item) => (item.type === 'message' && item.role === 'user') || isOfAnswer(item),
  );
  let begin = Math.max(0, last);
  while (begin > 0 && isPartOf(items[begin]) && isPartOf(items[begin - 1])) begin -= 1;
  return begin;
}

function isPartOf(item: InputItem | undefined): boolean {
  return item !== undefined && isOfAnswer(item);
}

/** Divides a conversation into units, in the order in which they begin. */
export function unitsOf(items: readonly InputItem[]): readonly Unit[] {
  const cachedEnd = cachedEndOf(items);
  const lastUser = items.findLastIndex((item) => item.type === 'message' && item.role === 'user');
  const units: { places: number[]; isKept: boolean }[] = [];
  const byCall = new Map<string, (typeof units)[number]>();
  let answer: (typeof units)[number] | undefined;
  for (const [place, item] of items.entries()) {
    const isAnswer = isOfAnswer(item);
    const called = 'output' in item ? byCall.get(keyOf(item)) : undefined;
    const unit = called ?? (isAnswer ? answer : undefined) ?? { places: [], isKept: false };
    if (unit.places.length === 0) units.push(unit);
    unit.places.push(place);
    unit.isKept ||= place < cachedEnd || place === lastUser || isInstruction(item);
    if ('callId' in item && !('output' in item)) byCall.set(keyOf(item), unit);
    answer = isAnswer ? unit : undefined;
  }
  return units;
}

function isInstruction(item: InputItem): boolean {
  return item.type === 'message' && (item.role === 'system' || item.role === 'developer');
}

/** Thoughts, texts and calls of one answer follow each other. A text ends it. */
function isOfAnswer(item: InputItem): boolean {
  if (item.type === 'message') return item.role === 'assistant';
  return !('output' in item);
}

function keyOf({ type, callId }: Extract<InputItem, { callId: string }>): string {
  return `${type.startsWith('custom') ? 'custom' : 'function'}/${callId}`;
}

/** Returns true for an item that a provider caches the prompt up to. */
function isMarked(item: InputItem): boolean {
  if ('cache' in item && item.cache !== undefined) return true;
  const content = item.type === 'message' ? item.content : 'output' in item ? item.output : [];
  return typeof content !== 'string' && content.some((part) => 'cache' in part && part.cache);
}
