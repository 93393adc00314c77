import type { TextContent } from '@sluice/inference';
import { Fields, isObject } from './fields.ts';
import type { Issues } from './issues.ts';
import { contentPartsMax } from './limits.ts';

/** Parts that the contract knows and that are not built yet. */
const unbuiltParts: ReadonlySet<unknown> = new Set([
  'input_image',
  'input_file',
  'input_audio',
  'input_video',
]);

/** The texts of a message's `content`: a string, a list of parts, or null. */
export function parseContent(
  item: Fields,
  role: 'system' | 'developer' | 'user' | 'assistant',
  issues: Issues,
): readonly TextContent[] {
  const content = item.value('content');
  if (content === undefined) return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) {
    item.refuse('content', 'must be a string or an array of content parts');
    return [];
  }
  const types = role === 'assistant' ? ['output_text', 'refusal', 'input_text'] : ['input_text'];
  return parseParts(item, 'content', types, issues);
}

/** The texts of a list of parts. */
export function parseParts(
  item: Fields,
  name: string,
  types: readonly string[],
  issues: Issues,
): readonly TextContent[] {
  const parts = item.array(name, contentPartsMax) ?? [];
  return parts.flatMap((part, index) => {
    const text = parsePart(part, `${item.path(name)}[${String(index)}]`, types, issues);
    return text === undefined ? [] : [{ type: 'text', text }];
  });
}

function parsePart(
  part: unknown,
  path: string,
  types: readonly string[],
  issues: Issues,
): string | undefined {
  if (!isObject(part)) return issues.add(path, 'must be a content part', 'invalid_prompt');
  const fields = new Fields(part, { path, issues, code: 'invalid_prompt' });
  const type = part['type'];
  if (unbuiltParts.has(type)) return issues.addUnsupported(fields.path('type'));
  if (!types.some((known) => known === type)) {
    return fields.refuse('type', `must be one of ${types.join(', ')}`);
  }
  fields.unsupported('prompt_cache_breakpoint');
  fields.unsupported('cache_control');
  return fields.requiredString(type === 'refusal' ? 'refusal' : 'text');
}
