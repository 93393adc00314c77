import { dataUrlParts } from '@sluice/client-schemas';
import type { CacheMarker, MediaSource } from '@sluice/inference';

/** Reads an http(s) URL or a base64 data URL. */
export function urlSource(url: string): MediaSource {
  const data = url.startsWith('data:') ? dataUrlParts(url) : undefined;
  return data ? { type: 'data', ...data } : { type: 'url', url };
}

/** Reads a medium that has a URL or an id. The schema refuses one without either. */
export function mediaSource(
  url: string | null | undefined,
  id: string | null | undefined,
): MediaSource {
  if (typeof url === 'string') return urlSource(url);
  if (typeof id !== 'string') throw new Error('invariant: a medium has a source');
  return { type: 'id', id };
}

interface CacheMarked {
  readonly cache_control?: { readonly ttl?: CacheMarker['ttl'] | null } | null;
  readonly prompt_cache_breakpoint?: object | null;
}

/** Reads the mark of a part up to which the prompt is worth being cached. Its two forms mark the same thing. */
export function cacheOf({
  cache_control: control,
  prompt_cache_breakpoint: breakpoint,
}: CacheMarked): { readonly cache?: CacheMarker } {
  if (control) return { cache: { ttl: control.ttl ?? '5m' } };
  return breakpoint ? { cache: { ttl: '5m' } } : {};
}
