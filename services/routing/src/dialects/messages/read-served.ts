import { isObject, type JsonObject } from '@sluice/client-schemas';
import type { InputItem } from '@sluice/inference';
import { servedItem } from '../../request/served-item.ts';

/** The types of tools whose calls have names of Anthropic's own. */
const types: Readonly<Record<string, string>> = {
  web_search: 'service:web_search',
  web_fetch: 'service:web_fetch',
  tool_search_tool_regex: 'service:tool_search',
};

/**
 * Returns a call that the service ran, with its result, which is another block. undefined: the block is no such call.
 * A call of Anthropic's own tools is one, too: the model reads it if the request has the same tool of the service.
 */
export function readServed(
  block: JsonObject,
  blocks: readonly JsonObject[],
): InputItem | undefined {
  const { type, id, name, input } = block;
  if (type !== 'server_tool_use' || typeof id !== 'string' || typeof name !== 'string')
    return undefined;
  const result = blocks.find((one) => one['tool_use_id'] === id);
  if (!result || !isObject(input)) return undefined;
  const called = Object.hasOwn(types, name) ? types[name] : name.replace(/^service_/, 'service:');
  if (!called?.startsWith('service:')) return undefined;
  return servedItem({
    type: called,
    callId: id,
    arguments: input,
    output: textOf(result['content']),
  });
}

function textOf(content: unknown): string {
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  const texts = parts.flatMap((part) =>
    isObject(part) && part['type'] === 'text' ? [part['text']] : [],
  );
  if (texts.length > 0) return texts.join('\n');
  return typeof content === 'string' ? content : (JSON.stringify(content) ?? '');
}
