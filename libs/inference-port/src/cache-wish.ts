import type { CacheWish } from './port.ts';

/** The headers about the response cache, as they came. */
export interface CacheHeaders {
  /** `X-Service-Cache`. */
  readonly cache?: string | undefined;
  /** `X-Service-Cache-TTL`, in seconds. */
  readonly cacheTtl?: string | undefined;
  /** `X-Service-Cache-Clear`. */
  readonly cacheClear?: string | undefined;
}

const ttlSecondsMax = 86_400;
const secondsPattern = /^\s*(-?\d{1,15})/;

/** Reads the headers about the response cache (contract inference.md 23). undefined: the client says nothing of it. */
export function cacheWish({ cache, cacheTtl, cacheClear }: CacheHeaders): CacheWish | undefined {
  const asked = cache?.trim().toLowerCase();
  const isSaid = asked === 'true' || asked === 'false';
  const ttlSeconds = secondsOf(cacheTtl);
  const clears = cacheClear?.trim().toLowerCase() === 'true';
  if (!isSaid && ttlSeconds === undefined && !clears) return undefined;
  return {
    ...(isSaid && { isOn: asked === 'true' }),
    ...(ttlSeconds !== undefined && { ttlSeconds }),
    ...(clears && { clears }),
  };
}

/** Returns the headers of a wish that another process sent. */
export function cacheHeaders(wish: unknown): CacheHeaders {
  if (typeof wish !== 'object' || wish === null) return {};
  const { isOn, ttlSeconds, clears } = wish as Readonly<Record<keyof CacheWish, unknown>>;
  return {
    cache: typeof isOn === 'boolean' ? String(isOn) : undefined,
    cacheTtl: typeof ttlSeconds === 'number' ? String(ttlSeconds) : undefined,
    cacheClear: clears === true ? 'true' : undefined,
  };
}

/** Reads the number at the beginning of a text, as `60abc` or `1.5`, within the bounds. */
function secondsOf(text: string | undefined): number | undefined {
  const digits = text === undefined ? undefined : secondsPattern.exec(text)?.[1];
  if (digits === undefined) return undefined;
  return Math.min(Math.max(Number(digits), 1), ttlSecondsMax);
}
