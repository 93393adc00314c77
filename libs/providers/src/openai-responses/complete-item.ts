import type { StreamPart } from '@sluice/inference';
import {
  addAnnotation,
  beginCall,
  beginItem,
  beginThought,
  withPhase,
  type Growth,
} from './item-growth.ts';
import type { WireItem } from './items.ts';
import { responsesReasoningFormat } from './request.ts';
import type { ItemState } from './state.ts';
import { reconcileProse, reconcileTold } from './told-twice.ts';

/** Closes an item, after emitting content that only its end event contains. A cut item stays open in the parts. */
export function completeItem(growth: Growth, item: WireItem): void {
  switch (item.type) {
    case 'other':
      return;
    case 'message':
      withPhase(growth, item.phase);
      for (const text of item.texts) {
        reconcileProse(growth, text);
        if (text.annotations.length === 0) continue;
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
      growth.isMalformed = !growth.item.call;
      reconcileTold(growth, { kind: 'arguments', text: item.text });
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
    reconcileTold(growth, { kind: 'summary', place, text });
  reconcileTold(growth, { kind: 'thought', text: item.content });
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
