import type { CacheMarker, ContentPart } from '@sluice/inference';
import type { FileAnnotation } from '../../request/file-annotation.ts';

/** Returns a parsed file as the model reads it: its name and its texts, and its pictures where the model sees them. */
export function partsOf(
  { name, content }: FileAnnotation,
  cache: CacheMarker | undefined,
): readonly ContentPart[] {
  const begin = !name ? '<file>' : `<file name="${plain(name)}">`;
  const parts = content.flatMap((part): readonly ContentPart[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }];
    const data = /^data:([^;,]+)[^,]*,(.*)$/s.exec(part.image_url.url);
    if (!data) return [];
    const [, mediaType = '', base64 = ''] = data;
    const source = { type: 'data', mediaType, base64 } as const;
    return [{ type: 'image', source, detail: 'auto', isOptional: true }];
  });
  const end: ContentPart = { type: 'text', text: '\n</file>', ...(cache && { cache }) };
  return joined([{ type: 'text', text: `${begin}\n` }, ...parts, end]);
}

const plain = (name: string) => name.replaceAll(/["<>\p{Cc}]+/gu, ' ').trim();

/** Joins texts that follow one another. */
function joined(parts: readonly ContentPart[]): readonly ContentPart[] {
  const all: ContentPart[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (last?.type === 'text' && part.type === 'text')
      all[all.length - 1] = { ...part, text: last.text + part.text };
    else all.push(part);
  }
  return all;
}
