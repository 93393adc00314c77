import type { Dispatcher } from 'undici';
import { acceptedEncodings, decodeBody } from './decode-body.ts';
import { type EgressFailure, failureFrom, isEgressFailure } from './failure.ts';
import { parseTarget, type TargetRules } from './target.ts';

export interface EgressRequest {
  readonly url: string | URL;
  /** GET if absent. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Redirects that a GET or HEAD follows. Each target is checked like the first URL. None if absent. */
  readonly redirectsMax?: number;
  /** The caller's own rule for the URL and each target of a redirect. */
  readonly permits?: (url: URL) => boolean;
  /** Bounds the body, on the wire and decoded. */
  readonly bytesMax: number;
  /** For all of it: look-ups, connections, redirects and the body. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface EgressReply {
  /** The URL that answered, after redirects. */
  readonly url: string;
  readonly status: number;
  /** Names in lower case. Of a header that is given twice, the first value. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded. */
  readonly body: Buffer;
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);
/** Never sent to another origin. */
const credentialHeaders = new Set(['authorization', 'cookie', 'proxy-authorization']);

/** Sends a request and reads its whole reply. The promise never rejects. */
export async function sendRequest(
  dispatcher: Dispatcher,
  rules: TargetRules,
  request: EgressRequest,
): Promise<EgressReply | EgressFailure> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), request.timeoutMs);
  const signal = request.signal
    ? AbortSignal.any([request.signal, deadline.signal])
    : deadline.signal;
  try {
    const reply = await follow(dispatcher, rules, request, signal);
    // An abort breaks a call in many ways, so the signals decide.
    if (!isEgressFailure(reply)) return reply;
    if (request.signal?.aborted) return { reason: 'canceled', message: 'The caller has left' };
    if (deadline.signal.aborted)
      return { reason: 'late', message: 'The server did not answer in time' };
    return reply;
  } finally {
    clearTimeout(timer);
  }
}

async function follow(
  dispatcher: Dispatcher,
  rules: TargetRules,
  request: EgressRequest,
  signal: AbortSignal,
): Promise<EgressReply | EgressFailure> {
  const { method = 'GET', redirectsMax = 0 } = request;
  const mayFollow = method === 'GET' || method === 'HEAD';
  let target: string | URL = request.url;
  let headers = lowerCased(request.headers ?? {});
  for (let redirects = 0; ; redirects += 1) {
    const url = parseTarget(target, rules);
    if (isEgressFailure(url)) return url;
    if (request.permits && !request.permits(url))
      return { reason: 'not_permitted', message: `${url.hostname} is not permitted` };
    const reply = await exchange(dispatcher, url, { ...request, headers }, signal);
    if (isEgressFailure(reply)) return reply;
    const location = redirectStatuses.has(reply.status) ? reply.headers['location'] : undefined;
    if (location === undefined) return reply;
    if (!mayFollow || redirects >= redirectsMax) return tooManyRedirects(redirectsMax);
    const next = URL.parse(location, url.href);
    if (!next) return { reason: 'redirects', message: 'The redirect names no valid URL' };
    if (next.origin !== url.origin) headers = withoutCredentials(headers);
    target = next;
  }
}

const tooManyRedirects = (redirectsMax: number): EgressFailure => ({
  reason: 'redirects',
  message:
    redirectsMax === 0
      ? 'The server redirects, and redirects are not followed'
      : `The server redirects more than ${redirectsMax} times`,
});

async function exchange(
  dispatcher: Dispatcher,
  url: URL,
  request: EgressRequest,
  signal: AbortSignal,
): Promise<EgressReply | EgressFailure> {
  try {
    const { statusCode, headers, body } = await dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: request.method ?? 'GET',
      headers: { 'accept-encoding': acceptedEncodings, ...request.headers },
      body: request.body ?? null,
      signal,
    });
    const read = firstValues(headers);
    const isRedirect = redirectStatuses.has(statusCode) && read['location'] !== undefined;
    // The body of a redirect is not wanted. A small one is read, so that its connection can be used again.
    if (isRedirect) {
      await body.dump({ limit: redirectBytesMax, signal });
      return { url: url.href, status: statusCode, headers: read, body: Buffer.alloc(0) };
    }
    const decoded = await decodeBody(body, read['content-encoding'], request.bytesMax);
    if (!Buffer.isBuffer(decoded)) return decoded;
    return { url: url.href, status: statusCode, headers: read, body: decoded };
  } catch (error) {
    return failureFrom(error);
  }
}

const redirectBytesMax = 16 * 1024;

function firstValues(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const values: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) {
    const first = Array.isArray(value) ? value[0] : value;
    if (first !== undefined) values.push([name.toLowerCase(), first]);
  }
  return Object.fromEntries(values);
}

const lowerCased = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const withoutCredentials = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !credentialHeaders.has(name)));
