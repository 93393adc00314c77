import { deepEqual, ok } from 'node:assert/strict';
import { type Json, raw, type Reached, text } from './http.ts';

/** A route of inference: where a body has its question, and an answer or an event its text. */
export interface Door {
  readonly path: string;
  question(content: string): object;
  said(answer: Json): unknown;
  delta(event: Json): unknown;
  /** Returns the part of the last event with data that reports how the request was routed. */
  ending(event: Json): Json | undefined;
  /** Returns the type of an error, in the words of the contract. */
  errorType(error: Json): unknown;
}

const messages = (content: string) => ({ messages: [{ role: 'user', content }] });
export const first = (value: Json | undefined) => value?.[0];
const usualType = ({ metadata }: Json) => metadata?.['error_type'];

export const responses: Door = {
  path: '/responses',
  question: (content) => ({ input: content, max_output_tokens: 50 }),
  said: ({ output }) => first(first(output)?.['content'])?.['text'],
  delta: ({ type, delta }) =>
    (type as unknown) === 'response.output_text.delta' ? delta : undefined,
  ending: ({ response }) => response,
  errorType: usualType,
};
export const doors: readonly Door[] = [
  responses,
  {
    path: '/chat/completions',
    question: (content) => ({ ...messages(content), max_completion_tokens: 50 }),
    said: ({ choices }) => first(choices)?.['message']?.['content'],
    delta: ({ choices }) => first(choices)?.['delta']?.['content'],
    ending: (chunk) => chunk,
    errorType: usualType,
  },
  {
    path: '/messages',
    question: (content) => ({ ...messages(content), max_tokens: 50 }),
    said: ({ content }) => first(content)?.['text'],
    delta: ({ delta }) => delta?.['text'],
    ending: (event) => ((event['type'] as unknown) === 'message_stop' ? event : undefined),
    errorType: (error) => error['error_type'],
  },
];

export interface Asked {
  readonly content: string;
  readonly model?: string;
  readonly fields?: object;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Told {
  readonly status: number;
  readonly id: string;
  readonly text: string;
  readonly message: unknown;
  readonly errorType: unknown;
  /** The kind of an error for clients of Anthropic. */
  readonly kind: unknown;
  readonly serviceMetadata: Json | undefined;
  readonly headers: Headers;
}

export async function ask(
  sluice: Reached,
  door: Door,
  stream: boolean,
  asked: Asked,
): Promise<Told> {
  const { content, model = 'sim/echo', fields = {}, key, headers } = asked;
  const answer = await raw(sluice, door.path, {
    body: { model, ...door.question(content), stream, ...fields },
    ...(key !== undefined && { key }),
    ...(headers && { headers }),
  });
  const body = await answer.text();
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false;
  const events = isJson ? [] : eventsIn(body);
  const parsed = isJson ? (JSON.parse(body) as Json) : undefined;
  const error = parsed?.['error'];
  const last = events.at(-1);
  return {
    status: answer.status,
    id: answer.headers.get('x-generation-id') ?? '',
    text: parsed
      ? textOf(door.said(parsed))
      : events.map((event) => textOf(door.delta(event))).join(''),
    message: error?.['message'],
    errorType: error && door.errorType(error),
    kind: error?.['type'],
    serviceMetadata: (parsed ?? (last && door.ending(last)))?.['service_metadata'],
    headers: answer.headers,
  };
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** Returns the events of a stream. No event before the last one reports how the request was routed. */
function eventsIn(body: string): readonly Json[] {
  const lines = body.split('\n').filter((line) => line.startsWith('data: {'));
  ok(lines.slice(0, -1).every((line) => !line.includes('"service_metadata"')));
  return lines.map((line) => JSON.parse(line.slice('data: '.length)) as Json);
}

/** Asks the same question at every door, whole and streamed. */
export async function everywhere(sluice: Reached, asked: Asked): Promise<readonly Told[]> {
  const answers: Told[] = [];
  for (const door of doors)
    for (const stream of [false, true]) answers.push(await ask(sluice, door, stream, asked));
  return answers;
}

/** Returns what all answers have in common, and fails if one has something else. */
export function alike<Value>(values: readonly Value[]): Value {
  const [one, ...others] = values;
  ok(one !== undefined);
  for (const other of others) deepEqual(other, one);
  return one;
}

/** Agents of Anthropic know a full context by these words, which only its format has. */
function withoutPrefix(message: unknown): unknown {
  return typeof message === 'string' ? message.replace(/^prompt is too long: /, '') : message;
}

/** Returns status, type and text of the error of all doors, after a look at its kind at /messages. */
export function refusal(answers: readonly Told[], kind: string): readonly unknown[] {
  const kinds = answers.map((answer) => answer.kind);
  deepEqual(kinds, [undefined, undefined, undefined, undefined, kind, kind]);
  const [status, errorType, message] = alike(
    answers.map((answer) => [answer.status, answer.errorType, withoutPrefix(answer.message)]),
  );
  ok(text(message).length > 0);
  return [status, errorType, message];
}
