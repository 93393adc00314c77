import {
  includeWords,
  type InputItemBody,
  isSearchOfClient,
  isUnknownItem,
  type JsonObject,
  type ResponsesBody,
  type UnknownItemBody,
} from '@sluice/client-schemas';
import type { InputItem } from '@sluice/inference';
import type { UnsupportedMode } from '../../../request/leave-out-tools.ts';
import type { Issues } from '../../body/issues.ts';
import { textOfContent } from '../../../request/native-item.ts';

const namedMax = 10;
const roles = ['user', 'system', 'developer', 'assistant'] as const;
const known: ReadonlySet<string> = new Set(includeWords);

/**
 * Refuses items and words of `include` that the contract does not name. In the lenient mode it refuses only items
 * that leave nothing to answer.
 */
export function checkUnknownWords(
  { input, include }: ResponsesBody,
  mode: UnsupportedMode,
  issues: Issues,
): void {
  const isLenient = mode === 'lenient';
  const hasElse =
    !Array.isArray(input) || input.some((item) => !isForeign(item) || readUnknownItem(item));
  if (isLenient && hasElse) return;
  if (!isLenient) refuseIncludes(include, issues);
  for (const [index, item] of unknownItems(input)) {
    const path = `input[${String(index)}]`;
    if (isSearchOfClient(item))
      issues.add(`${path}.execution`, 'must be server: the service searches', 'invalid_prompt');
    else issues.add(`${path}.type`, 'is no known kind of input item', 'invalid_prompt');
  }
}

function refuseIncludes(include: ResponsesBody['include'], issues: Issues): void {
  for (const [index, word] of (include ?? []).entries())
    if (!known.has(word))
      issues.add(`include[${String(index)}]`, `must be one of ${includeWords.join(', ')}`);
}

/** Names at most ten items and words of `include` that the contract does not name. */
export function unknownWordsWarning({ input, include }: ResponsesBody): string | undefined {
  if (!include?.length && !hasForeign(input)) return undefined;
  const words = (include ?? []).filter((word) => !known.has(word));
  const kinds = [...unknownItems(input)].map(
    ([, item]) => `item ${item.type} ${readUnknownItem(item) ? 'read as text' : 'left out'}`,
  );
  const named = [...new Set([...words.map((word) => `include ${word} left out`), ...kinds])];
  return named.length === 0 ? undefined : named.slice(0, namedMax).join(', ');
}

/** Returns the text of an item of an unknown kind as a message; undefined: it has none. */
export function readUnknownItem(item: UnknownItemBody): InputItem | undefined {
  const { role, content, text } = item as UnknownItemBody & JsonObject;
  const said = typeof text === 'string' ? text : textOfContent(content);
  if (said === '') return undefined;
  return {
    type: 'message',
    role: roles.find((one) => one === role) ?? 'assistant',
    content: [{ type: 'text', text: said }],
  };
}

/** Returns the words of `include` that the contract names, each once. */
export function knownIncludes({ include }: ResponsesBody): readonly string[] {
  if (!include?.length) return [];
  return [...new Set(include)].filter((word) => known.has(word));
}

function hasForeign(input: ResponsesBody['input']): boolean {
  return Array.isArray(input) && input.some(isForeign);
}

function* unknownItems(input: ResponsesBody['input']): Generator<[number, UnknownItemBody]> {
  if (!Array.isArray(input)) return;
  for (const [index, item] of input.entries()) if (isForeign(item)) yield [index, item];
}

/** Returns true for an item of an unknown kind, and for that of a search which the client made. */
export function isForeign(item: InputItemBody): item is UnknownItemBody {
  return isUnknownItem(item) || isSearchOfClient(item);
}
