import type { ReasoningItem } from '@sluice/inference';
import { asObject, parseExact } from '../json-reader.ts';
import type { PlainItem } from '../plain-request.ts';
import { callIdOf } from './call-id.ts';
import { type Block, blocksOf, textBlock, withCache } from './content.ts';

/** Marks thoughts of this dialect. Only they can be replayed to it. */
export const anthropicReasoningFormat = 'anthropic-claude-v1';

export interface Message {
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: readonly Block[];
}

export interface Conversation {
  readonly system: readonly Block[];
  readonly messages: readonly Message[];
}

interface OpenMessage {
  readonly role: Message['role'];
  readonly content: Block[];
}

/**
 * Converts the conversation for the messages API: user and assistant alternate, and system texts are separate. Where
 * the model takes system turns, a system text stays between a turn of the user and one of the assistant, or at the
 * end. The API refuses it elsewhere. A prompt cache keeps what stands before it.
 */
export function conversationOf(
  items: readonly PlainItem[],
  { takesSystemTurns = false }: { readonly takesSystemTurns?: boolean } = {},
): Conversation {
  const system: Block[] = [];
  const messages: OpenMessage[] = [];
  for (const item of items) {
    const { role, content } = turnOf(item);
    if (role === 'user') {
      dropLastThoughts(messages);
      if (messages.at(-1)?.role === 'system') system.push(...(messages.pop()?.content ?? []));
    }
    const last = messages.at(-1);
    if (role === 'system' && !(takesSystemTurns && last && last.role !== 'assistant'))
      system.push(...content);
    else if (last?.role === role) last.content.push(...content);
    else if (role === 'user' || content.length > 0) messages.push({ role, content: [...content] });
  }
  dropLastThoughts(messages);
  // The API needs at least one message.
  if (messages.length === 0)
    return { system: [], messages: [spoken({ role: 'user', content: system })] };
  const turns = messages.map(answersFirst).map(spoken);
  return { system, messages: trimmed(turns[0]?.role === 'user' ? turns : [opening, ...turns]) };
}

/** Drops thoughts after which the model said nothing in this dialect. The API refuses them at the end of a message. */
function dropLastThoughts(messages: OpenMessage[]): void {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return;
  while (last.content.at(-1)?.type.endsWith('thinking')) last.content.pop();
  if (last.content.length === 0) messages.pop();
}

/** Precedes a conversation that the assistant begins. The API requires that the user begins. */
const opening: Message = { role: 'user', content: textBlock('(The conversation begins.)') };

/** Stands for the words of a user who says nothing. The API refuses a turn without content. */
const silence = textBlock('(The user says nothing.)');

function spoken(turn: Message): Message {
  return turn.content.length > 0 ? turn : { ...turn, content: silence };
}

/** Trims the message that the model continues. The API refuses white space at its end. */
function trimmed(messages: readonly Message[]): readonly Message[] {
  const last = messages.at(-1);
  const end = last?.content.at(-1);
  if (last?.role !== 'assistant' || end?.type !== 'text') return messages;
  const rest = last.content.slice(0, -1);
  const content = [
    ...rest,
    ...textBlock(String(end['text']).trimEnd()).map((block) => ({ ...end, ...block })),
  ];
  return [...messages.slice(0, -1), ...(content.length > 0 ? [{ ...last, content }] : [])];
}

function turnOf(item: PlainItem): Message {
  switch (item.type) {
    case 'message':
      return {
        role: item.role === 'developer' ? 'system' : item.role,
        content: blocksOf(item.content),
      };
    case 'function-call': {
      const { callId, name, arguments: text, cache } = item;
      const id = callIdOf(callId);
      const call = { type: 'tool_use', id, name, input: inputOf(text) };
      return { role: 'assistant', content: [cache ? withCache(call, cache.ttl) : call] };
    }
    case 'function-call-output':
      return { role: 'user', content: [resultOf(item)] };
    case 'reasoning':
      return { role: 'assistant', content: thoughtOf(item) };
    case 'native':
      return { role: 'assistant', content: textBlock(item.text) };
  }
}

/** Returns the input of a call. The model reads arguments that are no JSON object as one text, as it wrote them. */
function inputOf(text: string): object {
  if (text.trim() === '') return {};
  return asObject(parseExact(text)) ?? { input: text };
}

type Output = Extract<PlainItem, { type: 'function-call-output' }>;

function resultOf({ callId, output, isError, cache }: Output): Block {
  const result = {
    type: 'tool_result',
    tool_use_id: callIdOf(callId),
    content: typeof output === 'string' ? output : blocksOf(output),
    ...(isError && { is_error: true }),
  };
  return cache ? withCache(result, cache.ttl) : result;
}

function thoughtOf({ content, encrypted, signature }: ReasoningItem): readonly Block[] {
  if (encrypted !== undefined) return [{ type: 'redacted_thinking', data: encrypted }];
  if (signature === undefined) return [];
  return [{ type: 'thinking', thinking: content.join(''), signature }];
}

/** Moves the answers of tools before the other content of a user message, as the API requires. */
function answersFirst({ role, content }: Message): Message {
  const answers = content.filter(({ type }) => type === 'tool_result');
  if (role !== 'user' || answers.length === 0) return { role, content };
  return { role, content: [...answers, ...content.filter((block) => !answers.includes(block))] };
}
