import assert from 'node:assert/strict';
import type { AnswerPart, StreamPart } from '@sluice/inference';
import type { EventBody } from './event.ts';
import { annotationEvent, callDelta, refusalDelta } from './item-events.ts';
import type {
  CallItem,
  OutputItem,
  ProseItem,
  ThoughtItem,
  UpstreamItem,
  ImageItem,
} from './output-item.ts';
import { growSummary, growTextSummary, growThought, summaryPlaceOf } from './thought-events.ts';

type OpeningPart = Extract<
  AnswerPart,
  {
    type:
      | 'text-start'
      | 'refusal-start'
      | 'reasoning-start'
      | 'tool-call-start'
      | 'native-start'
      | 'native-end'
      | 'tool-item-start';
  }
>;
/** Handled separately, see `advanceResponse`. */
export type TextDelta = Extract<StreamPart, { type: 'text-delta' }>;
export type GrowingPart = Extract<
  StreamPart,
  {
    type:
      | 'refusal-delta'
      | 'reasoning-delta'
      | 'reasoning-summary-delta'
      | 'tool-call-delta'
      | 'text-annotation';
  }
>;

type Fields<Item> = Item extends OutputItem ? Omit<Item, 'id' | 'part' | 'status'> : never;

/** An item before it has its `output_index`. */
export interface Opening {
  /** The prefix of its id. */
  readonly prefix: string;
  readonly fields: Fields<ProseItem | ThoughtItem | CallItem | ImageItem | UpstreamItem>;
}

const emptyProse = { text: '', annotations: [], logprobs: [] } as const;

/** Returns the item that a part opens. */
export function openingOf(part: OpeningPart): Opening {
  switch (part.type) {
    case 'text-start':
      return {
        prefix: 'msg',
        fields: { kind: 'text', ...emptyProse, ...(part.phase && { phase: part.phase }) },
      };
    case 'refusal-start':
      return { prefix: 'msg', fields: { kind: 'refusal', ...emptyProse } };
    case 'reasoning-start':
      return {
        prefix: 'rs',
        fields: { kind: 'reasoning', text: undefined, summaries: [], replay: undefined },
      };
    case 'tool-call-start': {
      const { callId, name, isCustom = false, namespace, isAsync, subagentId } = part;
      const fields = {
        kind: 'tool-call',
        callId,
        name,
        isCustom,
        text: '',
        ...(namespace !== undefined && { namespace }),
        ...(isAsync && { isAsync }),
        ...(subagentId !== undefined && { subagentId }),
      } as const;
      return { prefix: isCustom ? 'ctc' : 'fc', fields };
    }
    case 'native-start':
    case 'native-end':
    case 'tool-item-start':
      return {
        prefix: nativePrefix(String(part.item['type'])),
        fields: { kind: 'native', item: part.item },
      };
  }
}

function nativePrefix(type: string): string {
  if (type.startsWith('service:')) return 'st';
  return Object.hasOwn(nativePrefixes, type) ? (nativePrefixes[type] ?? 'it') : 'it';
}

const nativePrefixes: Readonly<Record<string, string>> = {
  web_search_call: 'ws',
  image_generation_call: 'ig',
  code_interpreter_call: 'ci',
  apply_patch_call: 'apc',
  shell_call: 'shc',
  shell_call_output: 'sho',
  tool_search_call: 'tsc',
  tool_search_output: 'tso',
  file_search_call: 'fs',
  computer_call: 'cu',
  mcp_call: 'mcp',
  mcp_list_tools: 'mcpl',
  mcp_approval_request: 'mcpr',
};

/** Returns an item with another text, or with another text of one of its summaries. */
export function corrected(
  item: OutputItem,
  text: string,
  { summary }: { readonly summary?: number },
): OutputItem {
  switch (item.kind) {
    case 'text':
    case 'refusal':
    case 'tool-call':
      return { ...item, text };
    case 'reasoning': {
      const place = summary === undefined ? item.textPlace : summaryPlaceOf(item, summary);
      if (place === undefined) return { ...item, text };
      if (place >= item.summaries.length) return item;
      return { ...item, summaries: item.summaries.with(place, text) };
    }
    case 'image':
    case 'native':
      return item;
  }
}

/** Adds a part to an open item. */
export function grow(
  item: OutputItem,
  outputIndex: number,
  part: GrowingPart,
  { tellsSummaries }: { readonly tellsSummaries: boolean },
): readonly [OutputItem, readonly EventBody[]] {
  switch (part.type) {
    case 'refusal-delta':
      assert(item.kind === 'refusal');
      return [
        { ...item, text: item.text + part.delta },
        [refusalDelta(item, outputIndex, part.delta)],
      ];
    case 'text-annotation': {
      assert(item.kind === 'text');
      const annotations = [...item.annotations, part.annotation];
      return [{ ...item, annotations }, [annotationEvent(item, outputIndex, part.annotation)]];
    }
    case 'tool-call-delta':
      assert(item.kind === 'tool-call');
      return [
        { ...item, text: item.text + part.delta },
        [callDelta(item, outputIndex, part.delta)],
      ];
    case 'reasoning-delta':
      assert(item.kind === 'reasoning');
      return (tellsSummaries ? growTextSummary : growThought)(item, outputIndex, part.delta);
    case 'reasoning-summary-delta':
      assert(item.kind === 'reasoning');
      return growSummary(item, outputIndex, part);
  }
}
