import type { StreamPart } from '@sluice/inference';
import type { Endpoint } from './endpoint.ts';

/** Returns true if a text contains the key or the host of an endpoint. Upstreams often repeat both in errors. */
export function tellsSecrets(endpoint: Endpoint, text: string): boolean {
  return tellsKey(endpoint, text) || text.includes(new URL(endpoint.baseUrl).host);
}

/** Removes upstream values that contain the key from a part, because they are stored. */
export function withoutKey(endpoint: Endpoint, part: StreamPart): StreamPart {
  switch (part.type) {
    case 'response-start':
      return tellsKey(endpoint, part.upstreamId) ? { ...part, upstreamId: undefined } : part;
    case 'unread-usage':
      return tellsKey(endpoint, part.raw) ? { ...part, raw: 'left out: it has a key in it' } : part;
    case 'finish':
      return tellsKey(endpoint, part.nativeReason) ? { ...part, nativeReason: undefined } : part;
    default:
      return part;
  }
}

function tellsKey({ apiKey }: Endpoint, text: string | undefined): boolean {
  const key = apiKey?.reveal();
  return key !== undefined && key !== '' && text?.includes(key) === true;
}
