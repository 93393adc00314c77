import type { StreamPart, TellingDifference } from '@sluice/inference';
import { addArguments, addProse, addSummary, addThought, type Growth } from './item-growth.ts';
import type { WireItem, WireProse } from './items.ts';
import { reconcile, reconcileArguments, type Reconciled, type SentText } from './reconcile.ts';
import type { ItemState } from './state.ts';
import type { Told } from './wire.ts';

/**
 * Compares a whole text with the deltas before it. A rest is sent as a delta. A text that contradicts its deltas
 * replaces them in the final item. Every event that repeats a text comes through here.
 */
export function reconcileTold(growth: Growth, told: Told): void {
  const { thought, call } = growth.item;
  switch (told.kind) {
    case 'text':
    case 'refusal':
      return reconcileProse(growth, { ...told, logprobs: [] });
    case 'thought':
      return settle(growth, thought?.content, told.text, {
        part: thought?.part,
        add: (delta) => addThought(growth, delta),
      });
    case 'summary':
      return settle(growth, thought?.summaries[told.place], told.text, {
        part: thought?.part,
        summary: told.place,
        add: (delta) => addSummary(growth, told.place, delta),
      });
    case 'arguments':
      if (!call) return;
      return settle(growth, call.sent, told.text, {
        part: call.part,
        isJson: !call.isCustom,
        add: (delta) => addArguments(growth, delta),
      });
  }
}

export function reconcileProse(growth: Growth, told: Omit<WireProse, 'annotations'>): void {
  const known = growth.item.texts?.get(told.place);
  if (!known) return addProse(growth, told);
  if (known.kind !== told.kind) return;
  // The log probabilities of a rest cannot be told from those of its deltas.
  settle(growth, known.sent, told.text, {
    part: known.part,
    add: (text) => addProse(growth, { ...told, text, logprobs: [] }),
  });
}

interface Place {
  /** undefined if the part has not begun. */
  readonly part: number | undefined;
  readonly summary?: number;
  readonly isJson?: boolean;
  readonly add: (delta: string) => void;
}

function settle(
  growth: Growth,
  sent: SentText | undefined,
  told: string,
  { part, summary, isJson = false, add }: Place,
): void {
  if (!sent || part === undefined || sent.text === '') return add(told);
  const result = isJson ? reconcileArguments(sent.text, told) : reconcile(sent.text, told);
  if (result.type === 'same') return;
  if (result.type === 'short') {
    growth.parts.push({ type: 'correction', part, difference: 'short' });
    return add(result.rest);
  }
  sent.text = result.text;
  const where = summary === undefined ? {} : { summary };
  growth.parts.push({
    type: 'correction',
    part,
    difference: 'contrary',
    text: result.text,
    ...where,
  });
}

/** Reports how a whole item differs from the one that has ended. Its text stays. */
export function lateDifferences(known: ItemState, item: WireItem): readonly StreamPart[] {
  const late: TellingDifference = 'late';
  const report = (part: number, result: Reconciled): readonly StreamPart[] =>
    result.type === 'same' ? [] : [{ type: 'correction', part, difference: late }];
  switch (item.type) {
    case 'message':
      return item.texts.flatMap(({ place, text }) => {
        const sent = known.texts?.get(place);
        return sent ? report(sent.part, reconcile(sent.sent.text, text)) : [];
      });
    case 'reasoning':
      return known.thought
        ? report(known.thought.part, reconcile(known.thought.content.text, item.content))
        : [];
    case 'call':
      return known.call
        ? report(known.call.part, reconcileArguments(known.call.sent.text, item.text ?? ''))
        : [];
    default:
      return [];
  }
}
