import type { StreamPart } from '@sluice/inference';
import type { Endpoint } from './endpoint.ts';

/** Upstreams like to repeat what they were called with, and where. */
export function tellsSecrets(endpoint: Endpoint, text: string): boolean {
  return tellsKey(endpoint, text) || text.includes(new URL(endpoint.baseUrl).host);
}

/** The same part without words of the upstream's own that have the key in them: they are written down. */
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
