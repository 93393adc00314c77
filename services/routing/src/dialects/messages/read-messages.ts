import type {
  AssistantBlockBody,
  MessageParamBody,
  MessagesBody,
  TextBlockBody,
  ToolResultBody,
  UserBlockBody,
} from '@sluice/client-schemas';
import type { ContentPart, InputItem } from '@sluice/inference';
import { cacheOf } from '../service-fields/read-media.ts';
import { isOf, readBlock, readText } from './read-blocks.ts';
import { readServed } from './read-served.ts';
import { readRedacted, readThinking } from './read-thoughts.ts';

/** Returns `system` and the messages as canonical items, in the order in which the model reads them. */
export function readMessages({ system, messages }: MessagesBody): readonly InputItem[] {
  return [...readSystem(system), ...messages.flatMap(readMessage)];
}

function readSystem(content: MessagesBody['system']): readonly InputItem[] {
  const parts =
    typeof content === 'string'
      ? [{ type: 'text', text: content } as const]
      : (content ?? []).filter((block) => !isAttribution(block)).map(readText);
  return message('system', parts);
}

/** A line of Claude Code for Anthropic's billing. It changes with each request: no cache would know the prompt. */
const attribution = /^x-anthropic-billing-header:[^\n]*$/;

function isAttribution({ text }: TextBlockBody): boolean {
  return attribution.test(text);
}

function readMessage(body: MessageParamBody, index: number): readonly InputItem[] {
  if (body.role === 'system') return readSystem(body.content);
  const { role, content } = body;
  if (typeof content === 'string') {
    return turn(role, message(role, [{ type: 'text', text: content }]));
  }
  const items: InputItem[] = [];
  let open: ContentPart[] = [];
  const close = (): void => {
    items.push(...message(role, open));
    open = [];
  };
  for (const [at, block] of content.entries()) {
    const item =
      readItem(block, `rs_${String(index)}_${String(at)}`) ?? readServed({ ...block }, content);
    if (item) {
      close();
      items.push(item);
    } else open.push(...readBlock(block));
  }
  close();
  return turn(role, items);
}

/** A user who says nothing takes a turn all the same, as in the other dialects. */
function turn(role: 'user' | 'assistant', items: readonly InputItem[]): readonly InputItem[] {
  if (role === 'assistant' || items.length > 0) return items;
  return [{ type: 'message', role, content: [{ type: 'text', text: '' }] }];
}

/** Returns a message, unless it says nothing. */
function message(
  role: 'system' | 'user' | 'assistant',
  content: readonly ContentPart[],
): readonly InputItem[] {
  const said = content.filter((part) => part.type !== 'text' || part.text !== '');
  return said.length === 0 ? [] : [{ type: 'message', role, content: said }];
}

/** Returns the item that a block is by itself; undefined: it is a part of a message. */
function readItem(block: UserBlockBody | AssistantBlockBody, id: string): InputItem | undefined {
  if (isOf(block, 'tool_use')) {
    const { id: callId, name, input } = block;
    return {
      type: 'function-call',
      callId,
      name,
      arguments: JSON.stringify(input),
      ...cacheOf(block),
    };
  }
  if (isOf(block, 'tool_result') && 'tool_use_id' in block) return readResult(block);
  if (isOf(block, 'thinking')) return readThinking(block, id);
  if (isOf(block, 'redacted_thinking')) return readRedacted(block, id);
  return undefined;
}

function readResult(block: ToolResultBody): InputItem {
  const { tool_use_id: callId, content, is_error: isError } = block;
  return {
    type: 'function-call-output',
    callId,
    output: typeof content === 'string' ? content : (content ?? []).flatMap(readBlock),
    ...(isError === true && { isError }),
    ...cacheOf(block),
  };
}
