import type {
  DocumentBody,
  ImageBody,
  ResultPartBody,
  TextBlockBody,
} from '@sluice/client-schemas';
import type { ContentPart, MediaSource } from '@sluice/inference';
import { cacheOf, urlSource } from '../service-fields/read-media.ts';

export function readText(block: TextBlockBody): ContentPart {
  return { type: 'text', text: block.text, ...cacheOf(block) };
}

/**
 * Reads a block that says something in a medium. Blocks of a provider's own tools say nothing. A tool that was found is
 * in the request already, so the model reads its name.
 */
export function readBlock(block: ResultPartBody): readonly ContentPart[] {
  if (isOf(block, 'text')) return [readText(block)];
  if (isOf(block, 'image')) return [readImage(block)];
  if (isOf(block, 'document')) return readDocument(block);
  if (isOf(block, 'tool_reference') && 'tool_name' in block)
    return [{ type: 'text', text: `The tool ${block.tool_name} is available.` }];
  if (!isOf(block, 'search_result')) return [];
  const { source, title, content } = block;
  const text = [title, source, ...content.map((part) => part.text)].join('\n');
  return [{ type: 'text', text, ...cacheOf(block) }];
}

/** Narrows a block to a kind. A comparison alone does not, because the type of a server block is only a pattern. */
export function isOf<Block extends { readonly type: string }, Kind extends string>(
  block: Block,
  kind: Kind,
): block is Extract<Block, { type: Kind }> {
  return block.type === kind;
}

function readImage(block: ImageBody): ContentPart {
  return { type: 'image', source: sourceOf(block.source), detail: 'auto', ...cacheOf(block) };
}

/** The text about a document stands before it. So it is scanned and measured as a text. */
function readDocument(block: DocumentBody): readonly ContentPart[] {
  const { source, title, context, citations } = block;
  const about: readonly ContentPart[] = context ? [{ type: 'text', text: context }] : [];
  return [
    ...about,
    {
      type: 'file',
      source: documentSource(source),
      filename: title ?? undefined,
      ...(citations?.enabled === true && { isCited: true }),
      ...cacheOf(block),
    },
  ];
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
    case 'url':
      return urlSource(source.url);
    case 'file':
      return { type: 'id', id: source.file_id };
  }
}
