import type { ModelOptions } from '@sluice/inference';
import { type Block, withCache } from './content.ts';
import type { Conversation, Message } from './messages.ts';

/** The API refuses more marked blocks. */
const breakpointsMax = 4;

/** All that a prompt is made of, in the order in which the API caches it: tools, system, messages. */
export interface WholePrompt extends Conversation {
  readonly tools: readonly object[];
}

/** Marks the end of the prompt if the request asks to cache all of it. Keeps only the last four marks. */
export function withCaching(prompt: WholePrompt, options: ModelOptions): WholePrompt {
  const { cache, hasExplicitCacheOnly = false } = options;
  const marked = cache && !hasExplicitCacheOnly ? markedEnd(prompt, cache.ttl) : prompt;
  let surplus = marksIn(marked) - breakpointsMax;
  if (surplus <= 0) return marked;
  const unmark = <Marked extends object>(block: Marked): Marked => {
    if (!('cache_control' in block) || surplus <= 0) return block;
    surplus -= 1;
    const { cache_control: _mark, ...rest } = block;
    return rest as Marked;
  };
  const tools = marked.tools.map(unmark);
  const system = marked.system.map(unmark);
  return { tools, system, messages: marked.messages.map((each) => mapped(each, unmark)) };
}

function markedEnd(prompt: WholePrompt, ttl: '5m' | '1h'): WholePrompt {
  const { messages } = prompt;
  const last = messages.at(-1);
  const end = last?.content.at(-1);
  if (!last || !end) return prompt;
  const content = [...last.content.slice(0, -1), withCache(end, ttl)];
  return { ...prompt, messages: [...messages.slice(0, -1), { ...last, content }] };
}

function marksIn({ tools, system, messages }: WholePrompt): number {
  const blocks = [...tools, ...system, ...messages.flatMap(({ content }) => content)];
  return blocks.filter((block) => 'cache_control' in block).length;
}

function mapped(message: Message, change: (block: Block) => Block): Message {
  return { ...message, content: message.content.map(change) };
}
