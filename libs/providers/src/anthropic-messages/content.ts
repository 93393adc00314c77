import type { CacheMarker, ContentPart, FileContent, MediaSource } from '@sluice/inference';

/** A block of a message. */
export type Block = Readonly<Record<string, unknown>> & { readonly type: string };

/** Returns content in the wire format. Texts without a visible character are omitted: the API refuses them. */
export function blocksOf(content: readonly ContentPart[]): readonly Block[] {
  return content.flatMap(blockOf);
}

export function textBlock(text: string): readonly Block[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

function blockOf(part: ContentPart): readonly Block[] {
  switch (part.type) {
    case 'text':
      return marked(textBlock(part.text), part);
    case 'image':
      return marked([{ type: 'image', source: sourceOf(part.source) }], part);
    case 'file':
      return marked([documentOf(part)], part);
    case 'audio':
    case 'video':
      // `canSay` excludes requests with these.
      return [];
  }
}

function marked(
  blocks: readonly Block[],
  { cache }: { readonly cache?: CacheMarker },
): readonly Block[] {
  return cache ? blocks.map((block) => withCache(block, cache.ttl)) : blocks;
}

function documentOf({ source, filename: title, isCited }: FileContent): Block {
  const isText = source.type === 'data' && source.mediaType.startsWith('text/');
  const read = isText
    ? {
        type: 'text',
        media_type: 'text/plain',
        data: Buffer.from(source.base64, 'base64').toString(),
      }
    : sourceOf(source);
  return {
    type: 'document',
    source: read,
    ...(title !== undefined && { title }),
    ...(isCited && { citations: { enabled: true } }),
  };
}

function sourceOf(source: MediaSource): object {
  switch (source.type) {
    case 'data':
      return { type: 'base64', media_type: source.mediaType, data: source.base64 };
    case 'url':
      return { type: 'url', url: source.url };
    case 'id':
      return { type: 'file', file_id: source.id };
  }
}

/** Marks a block or a tool as a cache breakpoint. The provider should cache the prompt up to it. */
export function withCache<Marked extends object>(block: Marked, ttl: '5m' | '1h'): Marked {
  return { ...block, cache_control: { type: 'ephemeral', ...(ttl === '1h' && { ttl }) } };
}
