import type { Part } from '@sluice/client-schemas';
import type { ContentPart } from '@sluice/inference';
import { cacheOf, mediaSource, urlSource } from '../../service-fields/read-media.ts';

/** Reads the content of a message, or the output of a tool. */
export function readContent(
  content: string | readonly Part[] | null | undefined,
): readonly ContentPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return (content ?? []).map(readPart);
}

export function readPart(part: Part): ContentPart {
  switch (part.type) {
    case 'input_text':
    case 'output_text':
      return { type: 'text', text: part.text, ...cacheOf(part) };
    case 'refusal':
      return { type: 'text', text: part.refusal, ...cacheOf(part) };
    case 'input_image': {
      const source = mediaSource(part.image_url, part.file_id);
      return { type: 'image', source, detail: part.detail ?? 'auto', ...cacheOf(part) };
    }
    case 'input_file': {
      const source = mediaSource(part.file_data ?? part.file_url, part.file_id);
      return { type: 'file', source, filename: part.filename ?? undefined, ...cacheOf(part) };
    }
    case 'input_audio':
      return { type: 'audio', ...part.input_audio };
    case 'input_video': {
      const { processing, video_url: url } = part;
      return { type: 'video', source: urlSource(url), ...(processing && { processing }) };
    }
  }
}
