import { dataUrlParts, type Part } from '@sluice/client-schemas';
import type { CacheMarker, ContentPart, MediaSource } from '@sluice/inference';

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
      const source = urlSource(part.image_url) ?? idSource(part.file_id);
      return { type: 'image', source, detail: part.detail ?? 'auto', ...cacheOf(part) };
    }
    case 'input_file': {
      const source = urlSource(part.file_data ?? part.file_url) ?? idSource(part.file_id);
      return { type: 'file', source, filename: part.filename ?? undefined, ...cacheOf(part) };
    }
    case 'input_audio':
      return { type: 'audio', ...part.input_audio };
    case 'input_video': {
      const { processing, video_url: url } = part;
      const source = urlSource(url) ?? idSource(undefined);
      return { type: 'video', source, ...(processing && { processing }) };
    }
  }
}

/** `prompt_cache_breakpoint` and `cache_control` mark the same thing. */
function cacheOf(part: CacheMarked): { readonly cache?: CacheMarker } {
  const { cache_control: control, prompt_cache_breakpoint: breakpoint } = part;
  if (control) return { cache: { ttl: control.ttl ?? '5m' } };
  return breakpoint ? { cache: { ttl: '5m' } } : {};
}

type CacheMarked = Pick<
  Extract<Part, { type: 'input_text' }>,
  'cache_control' | 'prompt_cache_breakpoint'
>;

function urlSource(url: string | null | undefined): MediaSource | undefined {
  if (url === null || url === undefined) return undefined;
  const data = url.startsWith('data:') ? dataUrlParts(url) : undefined;
  return data ? { type: 'data', ...data } : { type: 'url', url };
}

function idSource(id: string | null | undefined): MediaSource {
  if (id === null || id === undefined) throw new Error('invariant: a medium has a source');
  return { type: 'id', id };
}
