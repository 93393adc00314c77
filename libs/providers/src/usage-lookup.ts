import { Fault } from '@sluice/errors';
import type { Dispatcher } from 'undici';
import type { Endpoint } from './endpoint.ts';
import { parseJson } from './json-reader.ts';
import type { ServedUsage } from './served-usage.ts';
import type { Translator } from './translation.ts';

export interface LookupOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** Looks up the usage of an answer at the upstream, by the upstream's id of the answer. */
export interface UsageLookup {
  /** Throws a Fault when the upstream is unreachable. Returns unknown when the upstream stores no answers. */
  readonly lookUp: (
    endpoint: Endpoint,
    upstreamId: string,
    options: LookupOptions,
  ) => Promise<ServedUsage>;
}

const bodyBytesMax = 32 * 1024 * 1024;
const unknown = { type: 'unknown' } as const;

export async function lookUpUsage(
  agent: Dispatcher,
  { endpoint, translator, upstreamId }: LookedUp,
  { signal, timeoutMs }: LookupOptions,
): Promise<ServedUsage> {
  const { stored } = translator;
  if (endpoint.keepsAnswers !== true || !stored) return unknown;
  const { origin, pathname } = new URL(endpoint.baseUrl);
  try {
    const { statusCode, body } = await agent.request({
      origin,
      path: pathname.replace(/\/+$/, '') + stored.path(encodeURIComponent(upstreamId)),
      method: 'GET',
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'sluice',
        ...(endpoint.apiKey && { authorization: `Bearer ${endpoint.apiKey.reveal()}` }),
      },
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const text = await bounded(body);
    if (statusCode === 404 || statusCode === 410) return unknown;
    if (statusCode !== 200) throw new Error(`HTTP ${String(statusCode)}`);
    return stored.read(parseJson(text));
  } catch (cause) {
    throw new Fault('provider_unavailable', { cause });
  }
}

export interface LookedUp {
  readonly endpoint: Endpoint;
  readonly translator: Translator;
  readonly upstreamId: string;
}

async function bounded(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > bodyBytesMax) throw new Error('the stored answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
