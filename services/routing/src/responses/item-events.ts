import type { EventBody } from './event.ts';
import { openingItem, wireItem, wirePart, type OutputItem } from './output-item.ts';

/** The item opens; prose opens its one content part at once. */
export function openingEvents(item: OutputItem, outputIndex: number): readonly EventBody[] {
  const added: EventBody = {
    type: 'response.output_item.added',
    output_index: outputIndex,
    item: openingItem(item),
  };
  if (item.kind === 'tool-call') return [added];
  return [
    added,
    {
      type: 'response.content_part.added',
      ...contentPlace(item, outputIndex),
      part: wirePart(item, ''),
    },
  ];
}

export function deltaEvent(item: OutputItem, outputIndex: number, delta: string): EventBody {
  const content = contentPlace(item, outputIndex);
  switch (item.kind) {
    case 'text':
      return { type: 'response.output_text.delta', ...content, delta, logprobs: [] };
    case 'refusal':
      return { type: 'response.refusal.delta', ...content, delta };
    case 'reasoning':
      return { type: 'response.reasoning_text.delta', ...content, delta };
    case 'tool-call':
      return {
        type: 'response.function_call_arguments.delta',
        item_id: item.id,
        output_index: outputIndex,
        delta,
      };
  }
}

/** The item ends, with the status that it holds. */
export function closingEvents(item: OutputItem, outputIndex: number): readonly EventBody[] {
  const done: EventBody = {
    type: 'response.output_item.done',
    output_index: outputIndex,
    item: wireItem(item),
  };
  if (item.kind === 'tool-call') {
    const argumentsDone: EventBody = {
      type: 'response.function_call_arguments.done',
      item_id: item.id,
      output_index: outputIndex,
      arguments: item.text,
      name: item.call?.name ?? '',
    };
    return [argumentsDone, done];
  }
  const content = contentPlace(item, outputIndex);
  return [
    proseDone(item.kind, content, item.text),
    { type: 'response.content_part.done', ...content, part: wirePart(item, item.text) },
    done,
  ];
}

function proseDone(
  kind: 'text' | 'refusal' | 'reasoning',
  content: ReturnType<typeof contentPlace>,
  text: string,
): EventBody {
  switch (kind) {
    case 'text':
      return { type: 'response.output_text.done', ...content, text, logprobs: [] };
    case 'refusal':
      return { type: 'response.refusal.done', ...content, refusal: text };
    case 'reasoning':
      return { type: 'response.reasoning_text.done', ...content, text };
  }
}

function contentPlace(
  item: OutputItem,
  outputIndex: number,
): { readonly item_id: string; readonly output_index: number; readonly content_index: number } {
  return { item_id: item.id, output_index: outputIndex, content_index: 0 };
}
