import type { Logprob, Phase, ReasoningReplay } from '@sluice/inference';

/** One output item in progress. Each one is a part of the model's answer. */
export type OutputItem = ProseItem | ThoughtItem | CallItem | ImageItem | UpstreamItem;

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

interface Placed {
  readonly id: string;
  /** The part of the upstream's answer that the item grows by. */
  readonly part: number;
  readonly status: ItemStatus;
}

export interface ProseItem extends Placed {
  readonly kind: 'text' | 'refusal';
  readonly phase?: Phase;
  readonly text: string;
  readonly annotations: readonly Readonly<Record<string, unknown>>[];
  readonly logprobs: readonly Logprob[];
}

export interface ThoughtItem extends Placed {
  readonly kind: 'reasoning';
  /** undefined if the model has only summaries. */
  readonly text: string | undefined;
  /** Only the last one may still grow. */
  readonly summaries: readonly string[];
  /** The summary that has the model's own text, for a client that asked for summaries. */
  readonly textPlace?: number;
  readonly replay: ReasoningReplay | undefined;
}

export interface CallItem extends Placed {
  readonly kind: 'tool-call';
  readonly callId: string;
  readonly name: string;
  readonly isCustom: boolean;
  readonly namespace?: string;
  readonly isAsync?: boolean;
  /** The arguments of a function, or the input of a custom tool. */
  readonly text: string;
  /** The call that began the worker which made this one. */
  readonly subagentId?: string;
  /** The conversation of that worker. */
  readonly subagentItems?: readonly Readonly<Record<string, unknown>>[];
}

export interface ImageItem extends Placed {
  readonly kind: 'image';
  readonly base64: string | null;
}

/** An item of the upstream's own tools: its content, under an id of Sluice. */
export interface UpstreamItem extends Placed {
  readonly kind: 'native';
  readonly item: Readonly<Record<string, unknown>>;
  /** A later response goes on with the item. */
  readonly isSuspended?: true;
}

/** An item, or a content part, as the client sees it. */
export type WireItem = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly type: string;
};
export type WirePart = Readonly<Record<string, unknown>>;

/** Returns the item as it opens, without content. */
export function openingItem(item: OutputItem): WireItem {
  switch (item.kind) {
    case 'text':
    case 'refusal':
      return { ...wireItem(item), content: [] };
    case 'reasoning':
    case 'tool-call':
    case 'image':
    case 'native':
      return wireItem(item);
  }
}

/** Returns the item with its content so far. */
export function wireItem(item: OutputItem): WireItem {
  const { id, status } = item;
  switch (item.kind) {
    case 'text':
    case 'refusal':
      return {
        id,
        type: 'message',
        role: 'assistant',
        ...(item.phase && { phase: item.phase }),
        status,
        content: [prosePart(item)],
      };
    case 'reasoning':
      return wireThought(item);
    case 'tool-call':
      return wireCall(item);
    case 'image':
      return { id, type: 'image_generation_call', status, result: item.base64 };
    case 'native':
      return wireNative(item);
  }
}

const finalStatuses: readonly unknown[] = ['completed', 'incomplete', 'failed'];

/** Uses the final status that the upstream gave its item. An item without one gets the status of the response. */
function wireNative({ id, status, item }: UpstreamItem): WireItem {
  const type = String(item['type']);
  const isFinal = status !== 'in_progress' && finalStatuses.includes(item['status']);
  return { ...item, id, type, ...(item['status'] !== undefined && !isFinal && { status }) };
}

/** Returns the content part of a message with its text so far. */
export function prosePart(item: ProseItem): WirePart {
  if (item.kind === 'refusal') return { type: 'refusal', refusal: item.text };
  const { text, annotations, logprobs } = item;
  return { type: 'output_text', text, annotations, logprobs };
}

function wireThought({ id, status, text, summaries, replay }: ThoughtItem): WireItem {
  return {
    id,
    type: 'reasoning',
    status,
    summary: summaries.map((summary) => ({ type: 'summary_text', text: summary })),
    content: text === undefined ? [] : [{ type: 'reasoning_text', text }],
    ...(replay?.encrypted !== undefined && { encrypted_content: replay.encrypted }),
    ...(replay?.signature !== undefined && { signature: replay.signature }),
    ...(replay && { format: replay.format }),
  };
}

function wireCall({ id, status, callId, name, isCustom, text, ...more }: CallItem): WireItem {
  const { namespace, isAsync, subagentId, subagentItems } = more;
  const call = {
    id,
    status,
    call_id: callId,
    name,
    ...(namespace !== undefined && { namespace }),
    ...(isAsync && { async: true }),
    ...(subagentId !== undefined && { subagent_id: subagentId }),
    ...(subagentItems && { subagent_items: subagentItems }),
  };
  return isCustom
    ? { ...call, type: 'custom_tool_call', input: text }
    : { ...call, type: 'function_call', arguments: text };
}
