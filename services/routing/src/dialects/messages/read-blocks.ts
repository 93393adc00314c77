import { Buffer } from 'node:buffer';
import {
  type DocumentBody,
  type ImageBody,
  type ResultPartBody,
  type TextBlockBody,
} from '@sluice/client-schemas';
import type { CacheMarker, ContentPart, FileContent, MediaSource } from '@sluice/inference';
import { dataUrlParts } from '@sluice/client-schemas';

interface CacheMarked {
  readonly cache_control?: { readonly ttl?: '5m' | '1h' | null } | null;
}

export function cacheOf({ cache_control: control }: CacheMarked): { readonly cache?: CacheMarker } {
  return control ? { cache: { ttl: control.ttl ?? '5m' } } : {};
}

export function readText(block: TextBlockBody): ContentPart {
  return { type: 'text', text: block.text, ...cacheOf(block) };
}

/** Reads a block that says something in a medium. Blocks of a provider's own tools say nothing. */
export function readBlock(block: ResultPartBody): readonly ContentPart[] {
  if (isOf(block, 'text')) return [readText(block)];
  if (isOf(block, 'image')) return [readImage(block)];
  if (isOf(block, 'document')) return [readDocument(block)];
  if (!isOf(block, 'search_result')) return [];
  const { source, title, content } = block;
  const text = [title, source, ...content.map((part) => part.text)].join('\n');
  return [{ type: 'text', text, ...cacheOf(block) }];
}

/** Tells the kinds of blocks apart, beside those whose kind only has a form. */
export function isOf<Block extends { readonly type: string }, Kind extends string>(
  block: Block,
  kind: Kind,
): block is Extract<Block, { type: Kind }> {
  return block.type === kind;
}

function readImage(block: ImageBody): ContentPart {
  return { type: 'image', source: sourceOf(block.source), detail: 'auto', ...cacheOf(block) };
}

function readDocument(block: DocumentBody): FileContent {
  const { source, title, context, citations } = block;
  return {
    type: 'file',
    source: documentSource(source),
    filename: title ?? undefined,
    ...(typeof context === 'string' && { context }),
    ...(citations?.enabled === true && { isCited: true }),
    ...cacheOf(block),
  };
}

function documentSource(source: DocumentBody['source']): MediaSource {
  if (source.type === 'text') return textSource(source.data);
  if (source.type !== 'content') return sourceOf(source);
  const { content } = source;
  if (typeof content === 'string') return textSource(content);
  return textSource(content.map((part) => (isOf(part, 'text') ? part.text : '')).join('\n'));
}

function textSource(text: string): MediaSource {
  const base64 = Buffer.from(text).toString('base64');
  return { type: 'data', mediaType: 'text/plain', base64 };
}

function sourceOf(source: ImageBody['source']): MediaSource {
  switch (source.type) {
    case 'base64':
      return { type: 'data', mediaType: source.media_type.toLowerCase(), base64: source.data };
    case 'url': {
      const { url } = source;
      const data = url.startsWith('data:') ? dataUrlParts(url) : undefined;
      return data ? { type: 'data', ...data } : { type: 'url', url };
    }
    case 'file':
      return { type: 'id', id: source.file_id };
  }
}
