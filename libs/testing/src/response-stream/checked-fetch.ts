import { checkedBody } from './checked-body.ts';
import type { StreamExpectation } from './event-checker.ts';

const responsesPath = '/responses';

/**
 * `fetch`, whose streams of responses are checked as they pass: a broken rule fails the reading. Everything else passes
 * as it is. For clients that take a `fetch`, and in place of it.
 */
export async function checkedFetch(
  input: string | URL | Request,
  init?: RequestInit,
  expectation: StreamExpectation = {},
): Promise<Response> {
  const response = await fetch(input, init);
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (!response.body || !isStream || !pathname.endsWith(responsesPath)) return response;
  const generationId = response.headers.get('x-generation-id') ?? undefined;
  const { status, statusText, headers } = response;
  const body = ReadableStream.from(checkedBody(response.body, { generationId, ...expectation }));
  return new Response(body, { status, statusText, headers });
}
