import { createHash } from 'node:crypto';
import { textOf, type ContentPart, type ReasoningItem } from '@sluice/inference';
import type { ChatOptions } from '../endpoint.ts';
import type { PlainItem } from '../plain-request.ts';
import { chatReasoningFormat, isSigned, wireDetails } from './details.ts';
import { withOneSystemMessage } from './system-messages.ts';
import { chatContent, type ChatContent } from './content.ts';

interface ChatToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

type ChatMessage =
  | { readonly role: 'system' | 'developer' | 'user'; readonly content: ChatContent }
  | {
      readonly role: 'assistant';
      readonly content: ChatContent | null;
      readonly reasoning_content?: string;
      readonly reasoning?: string;
      readonly reasoning_details?: readonly object[];
      readonly tool_calls?: readonly ChatToolCall[];
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: ChatContent };

type Assistant = Extract<ChatMessage, { role: 'assistant' }>;

/** Converts the conversation for chat completions. Only servers that want earlier thoughts get them. */
export function chatMessages(
  items: readonly PlainItem[],
  options: ChatOptions,
): readonly ChatMessage[] {
  const messages: ChatMessage[] = [];
  const idOf = options.hasShortCallIds ? shortId : (id: string) => id;
  let thoughts = '';
  let signed: ReasoningItem[] = [];
  /** The media of tool answers. They follow the last answer, because no other message may stand among answers. */
  let media: ChatMessage[] = [];
  const thinking = (message: Assistant, call?: ChatToolCall): Assistant => {
    const earlier = message.reasoning_details ?? [];
    const details = [...earlier, ...detailsOf(signed, earlier.length, call)];
    const { thoughtsField: field = 'reasoning_content' } = options;
    const text = (message[field] ?? '') + thoughts;
    thoughts = '';
    signed = [];
    return {
      ...message,
      ...((options.wantsThoughts || (options.thoughtsField && text !== '')) && { [field]: text }),
      ...(details.length > 0 && { reasoning_details: details }),
    };
  };
  for (const item of items) {
    if (item.type !== 'function-call-output') {
      messages.push(...media);
      media = [];
    }
    if (item.type === 'reasoning' && options.hasThoughtDetails && isSigned(item)) signed.push(item);
    else if (item.type === 'reasoning' && (options.wantsThoughts || isPlain(item)))
      thoughts += thoughtOf(item);
    const call = callOf(item, idOf);
    const last = messages.at(-1);
    if (call && last?.role === 'assistant')
      messages[messages.length - 1] = withCall(thinking(last, call), call);
    else if (call)
      messages.push(withCall(thinking({ role: 'assistant', content: null }, call), call));
    else
      for (const message of chatMessage(item, options, idOf))
        if (item.type === 'function-call-output' && message.role === 'user') media.push(message);
        else messages.push(message.role === 'assistant' ? thinking(message) : message);
  }
  messages.push(...media);
  return options.takesOneSystemMessage ? withOneSystemMessage(messages) : messages;
}

/** Returns true for a thought that a server sent as text. Others are signed by their makers, or are summaries. */
function isPlain({ format = chatReasoningFormat }: ReasoningItem): boolean {
  return format === chatReasoningFormat;
}

/** Returns details that name the call which a signature of Gemini belongs to. The order tells other makers. */
function detailsOf(
  thoughts: readonly ReasoningItem[],
  start: number,
  call: ChatToolCall | undefined,
): readonly object[] {
  return thoughts.flatMap((thought, at) => {
    const isOfGemini = thought.format === 'google-gemini-v1';
    return wireDetails(thought, start + at, isOfGemini ? call?.id : undefined);
  });
}

function thoughtOf({ content, summary }: ReasoningItem): string {
  return (content.length > 0 ? content : summary).join('');
}

type IdOf = (id: string) => string;

const shortIdCharacters = 9;

/** Returns a short id, always the same for the same id. */
function shortId(id: string): string {
  const digest = createHash('sha256').update(id).digest('hex');
  return digest.slice(0, shortIdCharacters);
}

function callOf(item: PlainItem, idOf: IdOf): ChatToolCall | undefined {
  if (item.type !== 'function-call') return undefined;
  const called = { name: item.name, arguments: item.arguments };
  return { id: idOf(item.callId), type: 'function', function: called };
}

/** Adds a call to the assistant message. Chat completions have text and calls in one message. */
function withCall(message: Assistant, call: ChatToolCall): Assistant {
  return { ...message, tool_calls: [...(message.tool_calls ?? []), call] };
}

function chatMessage(item: PlainItem, options: ChatOptions, idOf: IdOf): readonly ChatMessage[] {
  switch (item.type) {
    case 'message': {
      const role = item.role === 'developer' ? options.developerRole : item.role;
      return [{ role, content: chatContent(item.content, options) }];
    }
    case 'function-call-output':
      return toolMessages(idOf(item.callId), item.output, options);
    case 'native':
      return item.text === '' ? [] : [{ role: 'assistant', content: item.text }];
    case 'function-call':
    case 'reasoning':
      return [];
  }
}

/** Returns the answer of a tool, which may only be text here. Media follow in a user message. */
function toolMessages(
  callId: string,
  output: string | readonly ContentPart[],
  options: ChatOptions,
): readonly ChatMessage[] {
  if (typeof output === 'string') return [{ role: 'tool', tool_call_id: callId, content: output }];
  const media = output.filter(({ type }) => type !== 'text');
  const answer = { role: 'tool', tool_call_id: callId, content: textOf(output) } as const;
  return media.length === 0
    ? [answer]
    : [answer, { role: 'user', content: chatContent(media, options) }];
}
