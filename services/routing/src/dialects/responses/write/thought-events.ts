import type { ReasoningReplay } from '@sluice/inference';
import { sealThought } from '../../answer/sealed-thought.ts';
import type { EventBody } from './event.ts';
import { contentEvent, contentPlace, place } from './item-events.ts';
import type { OutputItem, ThoughtItem } from './output-item.ts';

interface SummaryDelta {
  readonly summary: number;
  readonly delta: string;
}
type Grown = readonly [ThoughtItem, readonly EventBody[]];

/** Adds raw thoughts. Their content part opens with the first delta. */
export function growThought(item: ThoughtItem, outputIndex: number, delta: string): Grown {
  const part = { type: 'reasoning_text', text: '' };
  const opening = item.text === undefined ? [contentEvent('added', item, outputIndex, part)] : [];
  return [
    { ...item, text: (item.text ?? '') + delta },
    [
      ...opening,
      { type: 'response.reasoning_text.delta', ...contentPlace(item, outputIndex), delta },
    ],
  ];
}

/** Adds raw thoughts to a summary of their own. A client that asked for summaries reads no other thoughts. */
export function growTextSummary(item: ThoughtItem, outputIndex: number, delta: string): Grown {
  const { textPlace = item.summaries.length } = item;
  const [grown, events] = addSummary(item, outputIndex, { summary: textPlace, delta });
  return [{ ...grown, textPlace }, events];
}

/** Returns the model's own text, wherever the client gets it. */
function ownText({ text, textPlace, summaries }: ThoughtItem): string | undefined {
  return textPlace === undefined ? text : summaries[textPlace];
}

/** Returns the place of a summary of the model among those that the client gets. */
export function summaryPlaceOf({ textPlace }: ThoughtItem, summary: number): number {
  return textPlace !== undefined && summary >= textPlace ? summary + 1 : summary;
}

/** Adds to a summary. A new summary closes the one before. */
export function growSummary(
  item: ThoughtItem,
  outputIndex: number,
  { summary, delta }: SummaryDelta,
): Grown {
  return addSummary(item, outputIndex, { summary: summaryPlaceOf(item, summary), delta });
}

function addSummary(
  item: ThoughtItem,
  outputIndex: number,
  { summary, delta }: SummaryDelta,
): Grown {
  const isNew = summary >= item.summaries.length;
  const events: EventBody[] = [];
  if (isNew) {
    events.push(...summaryEnd(item, outputIndex));
    events.push({
      type: 'response.reasoning_summary_part.added',
      ...summaryPlace(item, outputIndex, item.summaries.length),
      part: { type: 'summary_text', text: '' },
    });
  }
  const summaries = isNew ? [...item.summaries, ''] : item.summaries;
  const index = summaries.length - 1;
  const grown = { ...item, summaries: summaries.with(index, (summaries[index] ?? '') + delta) };
  events.push({
    type: 'response.reasoning_summary_text.delta',
    ...summaryPlace(item, outputIndex, index),
    delta,
  });
  return [grown, events];
}

/** Ends the open part of a thought. Its item stays open. */
export function thoughtEnd(item: ThoughtItem, outputIndex: number): readonly EventBody[] {
  const events = [...summaryEnd(item, outputIndex)];
  if (item.text === undefined) return events;
  const part = { type: 'reasoning_text', text: item.text };
  return [
    ...events,
    {
      type: 'response.reasoning_text.done',
      ...contentPlace(item, outputIndex),
      text: item.text,
    },
    contentEvent('done', item, outputIndex, part),
  ];
}

function summaryEnd(item: ThoughtItem, outputIndex: number): readonly EventBody[] {
  const text = item.summaries.at(-1);
  if (text === undefined) return [];
  const at = summaryPlace(item, outputIndex, item.summaries.length - 1);
  return [
    { type: 'response.reasoning_summary_text.done', ...at, text },
    { type: 'response.reasoning_summary_part.done', ...at, part: { type: 'summary_text', text } },
  ];
}

function summaryPlace(item: ThoughtItem, outputIndex: number, summary: number) {
  return { ...place(item, outputIndex), summary_index: summary };
}

/** Adds the data for later turns. Encrypted reasoning is returned only if the request asks for it. */
export function withReplay(
  item: OutputItem,
  replay: ReasoningReplay,
  { tellsEncrypted }: { readonly tellsEncrypted: boolean },
): OutputItem {
  if (item.kind !== 'reasoning') return item;
  const { encrypted: _encrypted, ...readable } = replay;
  if (!tellsEncrypted) return { ...item, replay: readable };
  return { ...item, replay: { ...readable, encrypted: sealThought(replay, ownText(item)) } };
}
