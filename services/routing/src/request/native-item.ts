import type { InputItemBody, JsonObject } from '@sluice/client-schemas';
import { isObject } from '@sluice/client-schemas';
import type { ImageContent, InputItem } from '@sluice/inference';

type TextOf = (item: JsonObject) => string;

const called: TextOf = (item) =>
  `[${String(item['type'])}] ${compact(item['operation'] ?? item['action'] ?? '')}`;
const answered: TextOf = (item) =>
  `[${String(item['type'])}] ${compact(item['output'] ?? item['status'] ?? '')}`;
const ended: TextOf = ({ type, id: _id, status: _status, ...rest }) =>
  `[${String(type)}] ${compact(rest)}`;

/** The text of an item for models of other dialects. Kinds that are absent here have no text. */
const texts: ReadonlyMap<unknown, TextOf> = new Map<InputItemBody['type'], TextOf>([
  ['apply_patch_call', called],
  ['apply_patch_call_output', answered],
  ['web_search_call', ended],
  ['file_search_call', ended],
  ['code_interpreter_call', ended],
  [
    'computer_call',
    (item) => `[computer_call] ${compact(item['actions'] ?? item['action'] ?? '')}`,
  ],
  // An image would be megabytes of text.
  ['computer_call_output', () => '[computer_call_output] a screenshot'],
  ['local_shell_call', called],
  ['local_shell_call_output', answered],
  ['shell_call', called],
  ['shell_call_output', answered],
  ['mcp_approval_request', ended],
  ['mcp_approval_response', ended],
  ['mcp_call', ended],
  [
    'agent_message',
    (item) => `[message of ${compact(item['author'])}] ${textsOf(item['content'])}`,
  ],
]);

/**
 * Returns an item that only one dialect has as an input item. No upstream knows the items of the service's own tools:
 * `tools/replay-items.ts` replaces them.
 */
export function nativeItem(item: JsonObject): InputItem {
  const { type } = item;
  if (typeof type === 'string' && type.startsWith('service:'))
    return { type: 'native', item, text: ended(item) };
  const picture = pictureOf(item);
  return { type: 'native', item, text: texts.get(type)?.(item) ?? '', ...(picture && { picture }) };
}

/** The first characters of base64, by the kind of picture. An item does not name it. */
const beginnings: readonly (readonly [string, string])[] = [
  ['/9j/', 'image/jpeg'],
  ['UklGR', 'image/webp'],
  ['R0lGOD', 'image/gif'],
];

function pictureOf({ type, result: base64 }: JsonObject): ImageContent | undefined {
  if (type !== 'image_generation_call' || typeof base64 !== 'string' || base64 === '')
    return undefined;
  const known = beginnings.find(([beginning]) => base64.startsWith(beginning));
  const mediaType = known?.[1] ?? 'image/png';
  return { type: 'image', source: { type: 'data', mediaType, base64 }, detail: 'auto' };
}

function compact(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns the text of a content: a string, or parts of which some have a text. */
export function textOfContent(content: unknown): string {
  return typeof content === 'string' ? content : textsOf(content);
}

function textsOf(content: unknown): string {
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) =>
      isObject(part) && typeof part['text'] === 'string' ? part['text'] : '',
    )
    .join('');
}
