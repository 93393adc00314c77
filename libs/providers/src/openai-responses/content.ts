import type { CacheMarker, ContentPart, MediaSource } from '@sluice/inference';
import { mediaUrl } from '../media-url.ts';
import { wireDetail } from '../wire-scales.ts';

/** Returns content in the wire format. A single text becomes a string, which every server accepts. */
export function wireContent(
  content: readonly ContentPart[],
  textType: 'input_text' | 'output_text',
): unknown {
  const [only, ...others] = content;
  if (!only) return '';
  if (others.length === 0 && only.type === 'text' && !only.cache) return only.text;
  return content.map((part) => wirePart(part, textType));
}

/** Returns one content part in the wire format. */
export function wirePart(part: ContentPart, textType: string): unknown {
  switch (part.type) {
    case 'text':
      return { type: textType, text: part.text, ...markOf(part) };
    case 'image':
      return {
        type: 'input_image',
        detail: wireDetail(part.detail),
        ...(part.source.type === 'id'
          ? { file_id: part.source.id }
          : { image_url: mediaUrl(part.source) }),
        ...markOf(part),
      };
    case 'file':
      return {
        type: 'input_file',
        filename: part.filename,
        ...fileSource(part.source),
        ...markOf(part),
      };
    case 'audio':
      return { type: 'input_audio', input_audio: { data: part.data, format: part.format } };
    case 'video':
      return {
        type: 'input_video',
        video_url: mediaUrl(part.source),
        ...(part.processing && { processing: part.processing }),
      };
  }
}

/** Returns the cache breakpoint of a part. The provider should cache the prompt up to it. */
function markOf({ cache }: { readonly cache?: CacheMarker }): object {
  return cache ? { prompt_cache_breakpoint: { mode: 'explicit' } } : {};
}

function fileSource(source: MediaSource): object {
  switch (source.type) {
    case 'id':
      return { file_id: source.id };
    case 'url':
      return { file_url: source.url };
    case 'data':
      return { file_data: mediaUrl(source) };
  }
}
