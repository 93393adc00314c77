import type { EngineRequest } from './adapter.ts';
import type { SearchProblem } from './search.ts';

/** One HTTP exchange. Redirects are not followed: a key is for its engine alone. */
export type Dial = (
  url: string,
  init: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string | Uint8Array<ArrayBuffer>;
    readonly redirect: 'manual';
    readonly signal: AbortSignal;
  },
) => Promise<Response>;

export interface ExchangeOptions {
  readonly dial: Dial;
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytesMax: number;
  readonly signal: AbortSignal;
}

/** A problem of the exchange, with the status of the engine's answer if there is one. */
export interface ExchangeProblem {
  readonly problem: SearchProblem;
  readonly status?: number;
}

/** Sends one request and returns the JSON of its answer, or the problem. The caller tells a time-out by its signal. */
export async function exchange(
  request: EngineRequest,
  { dial, baseUrl, headers, bytesMax, signal }: ExchangeOptions,
): Promise<{ readonly answer: unknown } | ExchangeProblem> {
  const url = new URL(`${baseUrl.replace(/\/+$/u, '')}${request.path}`);
  for (const [name, value] of Object.entries(request.query ?? {}))
    url.searchParams.set(name, value);
  let reply: Response;
  try {
    reply = await dial(url.href, {
      method: request.method,
      headers: {
        accept: 'application/json',
        ...(request.body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(request.body && { body: JSON.stringify(request.body) }),
      redirect: 'manual',
      signal,
    });
  } catch {
    return { problem: 'unreachable' };
  }
  if (reply.status !== 200) {
    await reply.body?.cancel().catch(() => undefined);
    return { problem: problemOfStatus(reply.status), status: reply.status };
  }
  const text = await readText(reply, bytesMax);
  if (typeof text !== 'string') return text;
  try {
    return { answer: JSON.parse(text) as unknown };
  } catch {
    return { problem: 'invalid_answer' };
  }
}

function problemOfStatus(status: number): SearchProblem {
  if (status === 401 || status === 403) return 'rejected_key';
  if (status === 402 || status === 429 || status === 432) return 'rate_limited';
  return status >= 400 && status < 500 ? 'rejected' : 'engine_failed';
}

async function readText(reply: Response, bytesMax: number): Promise<string | ExchangeProblem> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of reply.body ?? []) {
      bytes += chunk.byteLength;
      // Leaving the loop ends the answer.
      if (bytes > bytesMax) return { problem: 'answer_too_large' };
      chunks.push(chunk);
    }
  } catch {
    return { problem: 'unreachable' };
  }
  return Buffer.concat(chunks).toString('utf8');
}
