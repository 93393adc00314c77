import { type ChatPart, dataUrlParts } from '@sluice/client-schemas';
import type { CacheMarker, ContentPart, MediaSource } from '@sluice/inference';

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
      const source = typeof data === 'string' ? urlSource(data) : idSource(id);
      return { type: 'file', source, filename: filename ?? undefined, ...cacheOf(part) };
    }
  }
}

type CacheMarked = Pick<
  Extract<ChatPart, { type: 'text' }>,
  'cache_control' | 'prompt_cache_breakpoint'
>;

/** `prompt_cache_breakpoint` and `cache_control` mark the same thing. */
function cacheOf(part: CacheMarked): { readonly cache?: CacheMarker } {
  const { cache_control: control, prompt_cache_breakpoint: breakpoint } = part;
  if (control) return { cache: { ttl: control.ttl ?? '5m' } };
  return breakpoint ? { cache: { ttl: '5m' } } : {};
}

function urlSource(url: string): MediaSource {
  const data = url.startsWith('data:') ? dataUrlParts(url) : undefined;
  return data ? { type: 'data', ...data } : { type: 'url', url };
}

function idSource(id: string | null | undefined): MediaSource {
  if (id === null || id === undefined) throw new Error('invariant: a medium has a source');
  return { type: 'id', id };
}
