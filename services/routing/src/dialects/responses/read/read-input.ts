import type {
  CallBody,
  CallOutputBody,
  InputItemBody,
  MessageBody,
  ReasoningBody,
  ResponsesBody,
  ToolBody,
} from '@sluice/client-schemas';
import { isObject } from '@sluice/client-schemas';
import type { InputItem, ReasoningItem, WorkerMark } from '@sluice/inference';
import { readContent } from './read-content.ts';
import { nativeItem } from '../../../request/native-item.ts';
import { openThought } from '../../answer/sealed-thought.ts';
import { isForeign, readUnknownItem } from './unknown-words.ts';

/** An item and its index in `input`. The index of the instructions is undefined. */
export interface PlacedItem {
  readonly index: number | undefined;
  readonly item: InputItem;
}

/** Returns `instructions` and `input` as canonical items, in the order in which the model reads them. */
export function readInput({ instructions, input }: ResponsesBody): readonly PlacedItem[] {
  const system = typeof instructions === 'string' ? [textMessage('system', instructions)] : [];
  if (typeof input === 'string') return [...system, textMessage('user', input)];
  const placed = resolvedItems(input ?? []).flatMap((body, index) => {
    const item = readItem(body);
    return item ? [{ index, item }] : [];
  });
  return [...system, ...placed];
}

function textMessage(role: 'system' | 'user', text: string): PlacedItem {
  return { index: undefined, item: { type: 'message', role, content: [{ type: 'text', text }] } };
}

/** A tool and its place in the body. */
export interface PlacedTool {
  readonly tool: ToolBody;
  readonly path: string;
}

/** Returns the tools that items of the input add. */
export function addedTools({ input }: ResponsesBody): readonly PlacedTool[] {
  if (!Array.isArray(input) || !input.some(isAddition)) return none;
  return input.flatMap((item, place) =>
    item.type === 'additional_tools'
      ? item.tools.map((tool, index) => {
          return { tool, path: `input[${String(place)}].tools[${String(index)}]` };
        })
      : [],
  );
}

const none: readonly PlacedTool[] = [];

const isAddition = ({ type }: InputItemBody) => type === 'additional_tools';

/** Replaces each reference by its item. A reference to no item of the request stays. */
export function resolvedItems(items: readonly InputItemBody[]): readonly InputItemBody[] {
  if (!items.some(({ type }) => type === 'item_reference')) return items;
  const byId = new Map(
    items.flatMap((item) =>
      item.type !== 'item_reference' && 'id' in item ? [[item.id, item] as const] : [],
    ),
  );
  return items.map((item) => (item.type === 'item_reference' ? (byId.get(item.id) ?? item) : item));
}

type ToolSearchBody = Extract<InputItemBody, { type: 'tool_search_call' }>;

/** Returns undefined if the model does not read the item. */
function readItem(item: InputItemBody): InputItem | undefined {
  if (isForeign(item)) return readUnknownItem(item);
  switch (item.type) {
    case undefined:
    case null:
    case 'message':
      return readMessage(item);
    case 'function_call':
    case 'custom_tool_call':
      return readCall(item);
    case 'function_call_output':
    case 'custom_tool_call_output':
      return readOutput(item);
    case 'reasoning':
      return readReasoning(item);
    case 'additional_tools':
    case 'item_reference':
    case 'tool_search_output':
      return undefined;
    case 'tool_search_call':
      return readToolSearch(item);
    default:
      return nativeItem(item);
  }
}

function readMessage({ role, content, phase }: MessageBody): InputItem {
  const ofAssistant = role === 'assistant' && phase ? { phase } : {};
  return { type: 'message', role, content: readContent(content), ...ofAssistant };
}

function readCall(call: CallBody): InputItem {
  const { call_id: callId, name, namespace } = call;
  const named = typeof namespace === 'string' ? { namespace } : {};
  return call.type === 'function_call'
    ? { type: 'function-call', callId, name, arguments: call.arguments, ...named, ...markOf(call) }
    : { type: 'custom-tool-call', callId, name, input: call.input, ...named };
}

/** Returns the worker that made a call. Its conversation was checked before. */
function markOf({
  subagent_id: id,
  subagent_items: transcript,
}: Extract<CallBody, { type: 'function_call' }>): { readonly subagent?: WorkerMark } {
  if (typeof id !== 'string') return {};
  if (!transcript) return { subagent: { id } };
  // A worker has no workers of its own.
  const bodies = transcript.map(({ subagent_id: _id, subagent_items: _items, ...item }) => item);
  const items = (bodies as unknown as readonly InputItemBody[]).flatMap(
    (item) => readItem(item) ?? [],
  );
  return { subagent: { id, items } };
}

/** The search is made again: it needs no output. */
function readToolSearch({ id, arguments: args }: ToolSearchBody): InputItem | undefined {
  const query = isObject(args) ? args['query'] : undefined;
  if (typeof query !== 'string') return undefined;
  return nativeItem({ type: 'service:tool_search', id, query });
}

function readOutput({ type, call_id: callId, output }: CallOutputBody): InputItem {
  return {
    type: type === 'function_call_output' ? 'function-call-output' : 'custom-tool-call-output',
    callId,
    output: typeof output === 'string' ? output : readContent(output),
  };
}

function readReasoning(body: ReasoningBody): ReasoningItem {
  const { id } = body;
  const summary = textsOf(body.summary);
  const content = textsOf(body.content);
  const sealed = openThought(body.encrypted_content ?? undefined);
  if (sealed) {
    const { content: kept, ...replay } = sealed;
    const thought = kept === undefined ? content : [kept];
    const isToldTwice = kept !== undefined && summary.join('') === kept;
    const told = isToldTwice ? [] : summary;
    return { type: 'reasoning', id, summary: told, content: thought, ...replay };
  }
  // A signature is of the model's own text, which a client that asked for summaries got as one.
  const isSigned = (body.signature ?? undefined) !== undefined && content.length === 0;
  return {
    type: 'reasoning',
    id,
    ...(isSigned ? { summary: [], content: summary } : { summary, content }),
    encrypted: body.encrypted_content ?? undefined,
    signature: body.signature ?? undefined,
    format: body.format ?? undefined,
  };
}

function textsOf(parts: ReasoningBody['summary']): readonly string[] {
  return (parts ?? []).map(({ text }) => text);
}
