import type { CacheMarker, ContentPart, MediaSource } from '@sluice/inference';

/** Content in the words of the responses API; a single text is a string: every server understands that. */
export function wireContent(
  content: readonly ContentPart[],
  textType: 'input_text' | 'output_text',
): unknown {
  const [only, ...others] = content;
  if (!only) return '';
  if (others.length === 0 && only.type === 'text' && !only.cache) return only.text;
  return content.map((part) => wirePart(part, textType));
}

/** One part of it. */
export function wirePart(part: ContentPart, textType: string): unknown {
  switch (part.type) {
    case 'text':
      return { type: textType, text: part.text, ...markOf(part) };
    case 'image':
      return {
        type: 'input_image',
        detail: part.detail === 'original' ? 'high' : part.detail,
        ...(part.source.type === 'id'
          ? { file_id: part.source.id }
          : { image_url: urlOf(part.source) }),
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
        video_url: urlOf(part.source),
        ...(part.processing && { processing: part.processing }),
      };
  }
}

/** The prompt up to here is worth being cached. */
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
      return { file_data: dataUrl(source) };
  }
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

/** A medium inside the request itself. */
export function dataUrl({ mediaType, base64 }: Extract<MediaSource, { type: 'data' }>): string {
  return `data:${mediaType};base64,${base64}`;
}
