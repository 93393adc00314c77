import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Instance } from '@sluice/acceptance/instance';
import { BrokenRule, checkedFetch } from '@sluice/testing/response-stream';

export interface Request {
  readonly method?: string;
  /** Begins with `/v1`, except for the few paths that have no version. */
  readonly path: string;
  readonly key: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** The client leaves after this time. */
  readonly timeoutMs?: number;
}

export interface Answer {
  /** 0: there was no whole answer. */
  readonly status: number;
  readonly text: string;
  /** Empty for an answer that is not JSON. */
  readonly json: Json;
  readonly requestId: string;
  /** Empty if no head of an answer came that names it. */
  readonly generationId: string;
  readonly retryAfter: string | null;
  readonly tookMs: number;
  /** The client did not wait any longer. */
  readonly isLate: boolean;
  /** The rule that a stream broke. */
  readonly broken?: string;
}

/** JSON of an answer, which is read with `?.`. */
export interface Json {
  readonly [name: string]: Json | undefined;
}

/** Returns the text at a place, as `data.hash`. Empty if there is none. */
export function textAt(json: Json, place: string): string {
  let found: unknown = json;
  for (const name of place.split('.')) found = (found as Json | undefined)?.[name];
  return typeof found === 'string' ? found : '';
}

const timeoutMsDefault = 30_000;

/** Sends one request. Never throws: no answer is an answer too. */
export async function send(
  { bootstrap }: Pick<Instance, 'bootstrap'>,
  { method = 'GET', path, key, body, headers, timeoutMs = timeoutMsDefault }: Request,
): Promise<Answer> {
  const startedMs = performance.now();
  const nothing = { status: 0, text: '', json: {}, requestId: '', retryAfter: null, isLate: false };
  let generationId = '';
  const tookMs = () => Math.round(performance.now() - startedMs);
  try {
    const init = {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    };
    // A stream that reaches its end keeps its order under every disturbance.
    const response = await checkedFetch(new URL(path, bootstrap.base_url), init, {
      mayBreak: true,
    });
    generationId = response.headers.get('x-generation-id') ?? '';
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return {
      status: response.status,
      text,
      json: isJson ? (JSON.parse(text) as Json) : {},
      requestId: response.headers.get('x-request-id') ?? '',
      generationId,
      retryAfter: response.headers.get('retry-after'),
      tookMs: tookMs(),
      isLate: false,
    };
  } catch (error) {
    const cut = { ...nothing, generationId, tookMs: tookMs() };
    if (error instanceof BrokenRule) return { ...cut, broken: error.message };
    return { ...cut, isLate: tookMs() >= timeoutMs };
  }
}

/** A stream that has begun reports a timeout of its provider in its last event. */
const timedOut = /^event: response\.failed\ndata: .*"error_type":"timeout"/m;
const slowStatuses: ReadonlySet<number> = new Set([408, 429, 504, 524]);

/**
 * True for an answer of a busy machine, which sheds requests, limits their rate or lets them time out. Such an answer
 * breaks no promise by itself: the request comes again.
 */
export function isBusy({ status, retryAfter, isLate, text }: Answer): boolean {
  if (isLate || slowStatuses.has(status)) return true;
  return status === 503 ? retryAfter !== null : status === 200 && timedOut.test(text);
}

const repeatPauseMs = 1_000;
const repeatsMax = 120;

/** Sends a request that changes nothing twice, until a busy machine has time for it. Returns its last answer. */
export async function sendUntilServed(
  instance: Pick<Instance, 'bootstrap'>,
  request: Request,
): Promise<Answer> {
  const headers = { 'idempotency-key': randomUUID(), ...request.headers };
  for (let repeats = 0; ; repeats++) {
    const answer = await send(
      instance,
      request.method === 'POST' ? { ...request, headers } : request,
    );
    const isUnderWay = answer.status === 409 && answer.retryAfter !== null;
    const isServed = answer.status !== 0 && !isBusy(answer) && !isUnderWay;
    if (isServed || repeats === repeatsMax) return answer;
    await delay(repeatPauseMs);
  }
}

/** Returns the status, the type and the message of an error, without its ids. */
export function reasonOf({ status, json, text, retryAfter, isLate, broken }: Answer): string {
  if (broken !== undefined) return broken;
  if (status === 0) return isLate ? 'no answer in time' : 'no answer';
  const { error } = json;
  const event = /"message":\s*"([^"]{0,120})/.exec(text)?.[1];
  const words = [
    error?.['metadata']?.['error_type'] ?? error?.['type'],
    error?.['message'] ?? event,
  ];
  const told = words.filter((word) => typeof word === 'string');
  const hint = status === 503 && retryAfter === null ? ['without Retry-After'] : [];
  return [status, ...told, ...hint].join(' ');
}
