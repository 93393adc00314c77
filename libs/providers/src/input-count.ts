import type { InferenceRequest } from '@sluice/inference';
import type { Dispatcher } from 'undici';
import type { Endpoint } from './endpoint.ts';
import { asObject, parseJson } from './json-reader.ts';
import { prepareCall } from './prepare-request.ts';
import type { Translator } from './translation.ts';
import { urlOf } from './transport/base-url.ts';
import { wellFormedJson } from './well-formed.ts';

export interface CountOptions {
  readonly signal: AbortSignal;
  /** Bounds the whole call. */
  readonly timeoutMs: number;
  /** Sent as `x-request-id`. */
  readonly requestId: string;
  /** The beta features that the client asks for. Sent only to providers of Anthropic's protocol. */
  readonly anthropicBetas?: readonly string[] | undefined;
}

/** Asks an endpoint how many tokens the input of a request has. */
export interface InputCounting {
  /** Resolves with undefined if the endpoint has no such call, or does not answer as it should. Never rejects. */
  readonly countInput: (
    endpoint: Endpoint,
    request: InferenceRequest,
    options: CountOptions,
  ) => Promise<number | undefined>;
}

const bodyBytesMax = 64 * 1024;
/** More tokens are no count of an input. */
const tokensMax = 1_000_000_000;

export async function countInput(
  agent: Dispatcher,
  { endpoint, translator }: { readonly endpoint: Endpoint; readonly translator: Translator },
  request: InferenceRequest,
  { signal, timeoutMs, requestId, anthropicBetas = [] }: CountOptions,
): Promise<number | undefined> {
  const { counting } = translator;
  if (!counting || request.embedding || request.ranking) return undefined;
  try {
    const asked = { ...request, stream: false };
    const body = asObject(prepareCall(translator, endpoint, asked).body);
    if (!body) return undefined;
    const { origin, pathname } = urlOf(endpoint.baseUrl);
    const answer = await agent.request({
      origin,
      path: pathname + counting.path(endpoint),
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'sluice',
        'x-request-id': requestId,
        ...translator.headers?.(endpoint.apiKey?.reveal(), anthropicBetas),
      },
      body: wellFormedJson(counting.body(endpoint, body)),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const text = await bounded(answer.body);
    if (answer.statusCode !== 200) return undefined;
    const count = asObject(parseJson(text))?.[counting.field];
    return isCount(count) ? count : undefined;
  } catch {
    return undefined;
  }
}

function isCount(count: unknown): count is number {
  return Number.isInteger(count) && Number(count) >= 0 && Number(count) <= tokensMax;
}

async function bounded(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > bodyBytesMax) throw new Error('the count is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
