import type { ContentPart, MediaSource } from '@sluice/inference';
import type { ChatOptions } from '../endpoint.ts';
import { dataUrl } from '../openai-responses/content.ts';

/** A message's content in the words of chat completions. */
export type ChatContent = string | readonly object[];

/** A single text is sent as a string: every server understands that. */
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
    case 'image': {
      const detail = part.detail === 'original' ? 'high' : part.detail;
      return { type: 'image_url', image_url: { url: urlOf(part.source), detail } };
    }
    case 'file':
      return { type: 'file', file: { filename: part.filename, ...fileSource(part.source) } };
    case 'audio':
      return { type: 'input_audio', input_audio: { data: part.data, format: part.format } };
    case 'video':
      return { type: 'video_url', video_url: { url: urlOf(part.source) } };
  }
}

function fileSource(source: MediaSource): object {
  return source.type === 'id' ? { file_id: source.id } : { file_data: urlOf(source) };
}

function urlOf(source: MediaSource): string {
  switch (source.type) {
    case 'id':
      return source.id;
    case 'url':
      return source.url;
    case 'data':
      return dataUrl(source);
  }
}
