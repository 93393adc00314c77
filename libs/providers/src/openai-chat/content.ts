import type { ContentPart, MediaSource } from '@sluice/inference';
import type { ChatOptions } from '../endpoint.ts';
import { mediaUrl } from '../media-url.ts';
import { wireDetail } from '../wire-scales.ts';

/** The content of a message in the wire format. */
export type ChatContent = string | readonly object[];

/** Returns content in the wire format. A single text becomes a string, which every server accepts. */
export function chatContent(
  content: readonly ContentPart[],
  { cacheMark }: Pick<ChatOptions, 'cacheMark'>,
): ChatContent {
  const [only] = content;
  if (!only) return '';
  const isMarked = cacheMark !== undefined && content.some(isWorthCaching);
  if (content.length === 1 && only.type === 'text' && !isMarked) return only.text;
  return content.map((part) => ({
    ...chatPart(part),
    ...(isWorthCaching(part) && cacheMark && { [cacheMark]: marks[cacheMark] }),
  }));
}

const marks = {
  prompt_cache_breakpoint: { mode: 'explicit' },
  cache_control: { type: 'ephemeral' },
} as const;

function isWorthCaching(part: ContentPart): boolean {
  return 'cache' in part && part.cache !== undefined;
}

function chatPart(part: ContentPart): object {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'image':
      return {
        type: 'image_url',
        image_url: { url: mediaUrl(part.source), detail: wireDetail(part.detail) },
      };
    case 'file':
      return { type: 'file', file: { filename: part.filename, ...fileSource(part.source) } };
    case 'audio':
      return { type: 'input_audio', input_audio: { data: part.data, format: part.format } };
    case 'video':
      return { type: 'video_url', video_url: { url: mediaUrl(part.source) } };
  }
}

function fileSource(source: MediaSource): object {
  return source.type === 'id' ? { file_id: source.id } : { file_data: mediaUrl(source) };
}
