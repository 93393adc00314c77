import type { ContentPart, MediaSource } from '@sluice/inference';
import { dataUrl } from '../openai-responses/content.ts';

/** A message's content in the words of chat completions. */
export type ChatContent = string | readonly object[];

/** A single text is sent as a string: every server understands that. */
export function chatContent(content: readonly ContentPart[]): ChatContent {
  const [only, ...others] = content;
  if (!only) return '';
  if (others.length === 0 && only.type === 'text' && !only.cache) return only.text;
  return content.map(chatPart);
}

function chatPart(part: ContentPart): object {
  switch (part.type) {
    case 'text':
      return {
        type: 'text',
        text: part.text,
        ...(part.cache && { cache_control: { type: 'ephemeral' } }),
      };
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
