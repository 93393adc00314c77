import type { ToolProgress } from '@sluice/inference';
import type { EventBody } from './event.ts';
import {
  openingItem,
  prosePart,
  type CallItem,
  type OutputItem,
  type ProseItem,
  type WirePart,
  wireItem,
} from './output-item.ts';

/** Returns the events of an item that opens. A message opens its one content part at once. */
export function openingEvents(item: OutputItem, outputIndex: number): readonly EventBody[] {
  const added: EventBody = {
    type: 'response.output_item.added',
    output_index: outputIndex,
    item: openingItem(item),
  };
  switch (item.kind) {
    case 'text':
    case 'refusal':
      return [added, contentEvent('added', item, outputIndex, prosePart(item))];
    case 'image':
      return [
        added,
        { type: 'response.image_generation_call.in_progress', ...place(item, outputIndex) },
        { type: 'response.image_generation_call.generating', ...place(item, outputIndex) },
      ];
    case 'reasoning':
    case 'tool-call':
    case 'native':
      return [added];
  }
}

export function refusalDelta(item: ProseItem, outputIndex: number, delta: string): EventBody {
  return { type: 'response.refusal.delta', ...contentPlace(item, outputIndex), delta };
}

export function callDelta(item: CallItem, outputIndex: number, delta: string): EventBody {
  const type = item.isCustom
    ? 'response.custom_tool_call_input.delta'
    : 'response.function_call_arguments.delta';
  return { type, ...place(item, outputIndex), delta };
}

export function annotationEvent(
  item: ProseItem,
  outputIndex: number,
  annotation: Readonly<Record<string, unknown>>,
): EventBody {
  return {
    type: 'response.output_text.annotation.added',
    ...contentPlace(item, outputIndex),
    annotation_index: item.annotations.length,
    annotation,
  };
}

/** Returns the events of an item that ends, with its status. See thought-events for the end of thoughts. */
export function closingEvents(item: OutputItem, outputIndex: number): readonly EventBody[] {
  const done: EventBody = {
    type: 'response.output_item.done',
    output_index: outputIndex,
    item: wireItem(item),
  };
  switch (item.kind) {
    case 'text':
    case 'refusal':
      return [
        proseDone(item, outputIndex),
        contentEvent('done', item, outputIndex, prosePart(item)),
        done,
      ];
    case 'tool-call':
      return [callDone(item, outputIndex), done];
    case 'image':
      return [
        { type: 'response.image_generation_call.completed', ...place(item, outputIndex) },
        done,
      ];
    case 'reasoning':
    case 'native':
      return [done];
  }
}

export function progressEvent(
  item: OutputItem,
  outputIndex: number,
  progress: ToolProgress,
): EventBody {
  const fields = 'fields' in progress ? progress.fields : {};
  const type = `response.${progress.event}` as const;
  return { type, ...place(item, outputIndex), ...fields } as EventBody;
}

function proseDone(item: ProseItem, outputIndex: number): EventBody {
  const content = contentPlace(item, outputIndex);
  const { kind, text, logprobs } = item;
  return kind === 'text'
    ? { type: 'response.output_text.done', ...content, text, logprobs }
    : { type: 'response.refusal.done', ...content, refusal: text };
}

function callDone(item: CallItem, outputIndex: number): EventBody {
  const { name, text, isCustom } = item;
  return isCustom
    ? { type: 'response.custom_tool_call_input.done', ...place(item, outputIndex), input: text }
    : {
        type: 'response.function_call_arguments.done',
        ...place(item, outputIndex),
        arguments: text,
        name,
      };
}

/** Returns the event of a content part that opens or ends. */
export function contentEvent(
  what: 'added' | 'done',
  item: Pick<OutputItem, 'id'>,
  outputIndex: number,
  part: WirePart,
): EventBody {
  return { type: `response.content_part.${what}`, ...contentPlace(item, outputIndex), part };
}

export function place(
  item: Pick<OutputItem, 'id'>,
  outputIndex: number,
): { readonly item_id: string; readonly output_index: number } {
  return { item_id: item.id, output_index: outputIndex };
}

export function contentPlace(
  item: Pick<OutputItem, 'id'>,
  outputIndex: number,
): { readonly item_id: string; readonly output_index: number; readonly content_index: number } {
  return { item_id: item.id, output_index: outputIndex, content_index: 0 };
}
