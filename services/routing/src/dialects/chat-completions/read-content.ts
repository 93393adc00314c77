import type { ChatPart } from '@sluice/client-schemas';
import type { ContentPart } from '@sluice/inference';
import { cacheOf, mediaSource, urlSource } from '../service-fields/read-media.ts';

/** Reads the content of a message, or the answer of a tool. */
export function readContent(
  content: string | readonly ChatPart[] | null | undefined,
): readonly ContentPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return (content ?? []).map(readPart);
}

function readPart(part: ChatPart): ContentPart {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text, ...cacheOf(part) };
    case 'refusal':
      return { type: 'text', text: part.refusal };
    case 'image_url': {
      const { url, detail } = part.image_url;
      return { type: 'image', source: urlSource(url), detail: detail ?? 'auto', ...cacheOf(part) };
    }
    case 'input_audio':
      return { type: 'audio', ...part.input_audio };
    case 'video_url':
      return { type: 'video', source: urlSource(part.video_url.url) };
    case 'file': {
      const { file_data: data, file_id: id, filename } = part.file;
      const source = mediaSource(data, id);
      return { type: 'file', source, filename: filename ?? undefined, ...cacheOf(part) };
    }
  }
}
