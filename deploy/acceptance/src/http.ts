import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { eventually as patiently } from '@sluice/patience';
import { checkedFetch } from '@sluice/testing/response-stream';
import type { Instance } from './instance.ts';
import { untilServed } from './shared/until-served.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

/** Parsed JSON of an answer: tests read into it with `?.` and compare what they find. */
export interface Json {
  readonly [key: string]: Json | undefined;
}

/** A string of an answer; anything else fails the test. */
export function text(value: unknown): string {
  if (typeof value !== 'string') throw new Error(`not a string: ${JSON.stringify(value)}`);
  return value;
}

/** A list of an answer; anything else fails the test. */
export function list(value: unknown): readonly Json[] {
  if (!Array.isArray(value)) throw new Error(`not a list: ${JSON.stringify(value)}`);
  return value as readonly Json[];
}

/** The keys and the address of a running Sluice. */
export interface Reached extends Pick<Instance, 'bootstrap'> {
  /** True: other files send requests at the same time. One that is refused for that is sent again. */
  readonly isShared?: true;
}

export interface Call {
  readonly method?: string;
  /** If undefined, the regular key is sent. If null, none is. */
  readonly key?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** One call to the public API; an object body is sent as JSON, text as it is. A stream is checked as it is read. */
export async function raw(instance: Reached, path: string, call: Call = {}): Promise<Response> {
  const key = call.key === undefined ? instance.bootstrap.api_key : call.key;
  const { body } = call;
  const send = () =>
    checkedFetch(`${instance.bootstrap.base_url}${path}`, {
      method: call.method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...call.headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(call.signal ? { signal: call.signal } : {}),
    });
  return await (instance.isShared ? untilServed(send) : send());
}

export async function json(instance: Reached, path: string, call: Call = {}): Promise<Answer> {
  const response = await raw(instance, path, call);
  const content = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (content === '' ? null : JSON.parse(content)) as Json,
  };
}

/** The same as an administrator. A POST has an idempotency key, because a busy machine may get it twice. */
export async function manage(instance: Reached, path: string, call: Call = {}): Promise<Answer> {
  const key = instance.bootstrap.management_key;
  const isPost = (call.method ?? (call.body === undefined ? 'GET' : 'POST')) === 'POST';
  const headers = isPost && instance.isShared ? { 'idempotency-key': randomUUID() } : {};
  return await json(instance, path, { key, ...call, headers: { ...headers, ...call.headers } });
}

export interface StreamEvent {
  readonly name: string;
  readonly data: Json;
}

/** Reads a stream to its end: the events, and whether `[DONE]` was the last thing said. */
export async function streamed(
  response: Response,
): Promise<{ events: readonly StreamEvent[]; done: boolean }> {
  const frames = (await response.text()).split('\n\n').filter((frame) => frame !== '');
  const events: StreamEvent[] = [];
  for (const frame of frames) {
    const name = /^event: (.*)$/m.exec(frame)?.[1];
    const data = /^data: (.*)$/m.exec(frame)?.[1];
    if (data !== undefined && data !== '[DONE]')
      events.push({ name: name ?? '', data: JSON.parse(data) as Json });
  }
  return { events, done: frames.at(-1) === 'data: [DONE]' };
}

/** An answer costs Sluice milliseconds of the processor, which others wait for as well. */
const patience = { everyMs: 50, sameLooksMax: 2_400 };

/** Asks until the answer is the wanted one; fails with the last one when the answers have stayed the same for long. */
export async function eventually<T>(
  ask: () => Promise<T>,
  wanted: (answer: T) => boolean,
): Promise<T> {
  return await patiently(async () => {
    const answer = await ask();
    if (!wanted(answer)) throw new Error(`not the wanted answer: ${inspect(answer)}`);
    return answer;
  }, patience);
}
