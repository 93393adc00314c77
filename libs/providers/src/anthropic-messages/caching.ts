import type { ModelOptions } from '@sluice/inference';
import { type Block, withCache } from './content.ts';
import type { Conversation, Message } from './messages.ts';

/** The API refuses more marked blocks. */
const breakpointsMax = 4;

/** Marks the end of the prompt if the request asks to cache all of it. Keeps only the last four marks. */
export function withCaching(conversation: Conversation, options: ModelOptions): Conversation {
  const { cache, hasExplicitCacheOnly = false } = options;
  const marked = cache && !hasExplicitCacheOnly ? markedEnd(conversation, cache.ttl) : conversation;
  let surplus = marksIn(marked) - breakpointsMax;
  if (surplus <= 0) return marked;
  const unmark = (block: Block): Block => {
    if (!('cache_control' in block) || surplus <= 0) return block;
    surplus -= 1;
    const { cache_control: _mark, ...rest } = block;
    return rest;
  };
  const system = marked.system.map(unmark);
  return { system, messages: marked.messages.map((each) => mapped(each, unmark)) };
}

function markedEnd(conversation: Conversation, ttl: '5m' | '1h'): Conversation {
  const { messages } = conversation;
  const last = messages.at(-1);
  const end = last?.content.at(-1);
  if (!last || !end) return conversation;
  const content = [...last.content.slice(0, -1), withCache(end, ttl)];
  return { ...conversation, messages: [...messages.slice(0, -1), { ...last, content }] };
}

function marksIn({ system, messages }: Conversation): number {
  const blocks = [...system, ...messages.flatMap(({ content }) => content)];
  return blocks.filter((block) => 'cache_control' in block).length;
}

function mapped(message: Message, change: (block: Block) => Block): Message {
  return { ...message, content: message.content.map(change) };
}
