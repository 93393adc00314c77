import { readFileSync } from 'node:fs';
import type { StreamPart } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import type { Dialect } from './endpoint.ts';
import { readStream } from './testing/read-stream.ts';
import { eventReader } from './transport/body-reader.ts';
import { translators } from './wire-body.ts';

interface Sample {
  /** The events of a text that has begun. */
  readonly begin: string;
  /** The events that end the answer. */
  readonly end: string;
  /** Ends the body without a finish reason. */
  readonly mark: string;
}

const data = (...events: readonly unknown[]): string =>
  events
    .map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
    .join('');
const item = { type: 'message', id: 'm1', role: 'assistant' };
const content = [{ type: 'output_text', text: 'Hello', annotations: [] }];

const samples: Readonly<Record<Dialect, Sample>> = {
  'openai-chat': {
    begin: data({ id: 'x', choices: [{ index: 0, delta: { content: 'Hello' } }] }),
    end: data({ id: 'x', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }, '[DONE]'),
    mark: data('[DONE]'),
  },
  'anthropic-messages': {
    begin: data(
      { type: 'message_start', message: { id: 'x', usage: { input_tokens: 1, output_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
    ),
    end: data(
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
      { type: 'message_stop' },
    ),
    mark: data({ type: 'message_stop' }),
  },
  'google-gemini': {
    begin: data({ candidates: [{ content: { parts: [{ text: 'Hello' }] } }] }),
    end: data({ candidates: [{ content: { parts: [] }, finishReason: 'STOP' }] }),
    mark: data('[DONE]'),
  },
  'openai-responses': {
    begin: data(
      { type: 'response.created', response: { id: 'x' } },
      { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
      { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'Hello' },
    ),
    end: data(
      { type: 'response.output_item.done', output_index: 0, item: { ...item, content } },
      {
        type: 'response.completed',
        response: { id: 'x', status: 'completed', output: [{ ...item, content }] },
      },
    ),
    mark: data('[DONE]'),
  },
};
const dialects = Object.keys(samples) as Dialect[];

/** Failures that are reported in the middle of an answer, in the forms of many servers. */
const failures: Readonly<Record<string, string>> = {
  'vLLM, an object': data({
    object: 'error',
    message: 'boom',
    type: 'InternalServerError',
    code: 500,
  }),
  'FastAPI, a detail': data({ detail: 'boom' }),
  'a gateway, a message': data({ message: 'boom' }),
  'Cloudflare, a list': data({ errors: [{ code: 7000, message: 'boom' }] }),
  'a list of texts': data({ errors: ['boom'] }),
  'MiniMax, a status': data({ base_resp: { status_code: 1000, status_msg: 'boom' } }),
  'DashScope, a code': data({ code: 'InternalError', message: 'boom', request_id: 'r' }),
  'an error alone': data({ error: { message: 'boom' } }),
  'an error as a text': data({ error: 'boom' }),
  'an event named error with another object': 'event: error\ndata: {"reason":"boom"}\n\n',
  'an event named error with an error': 'event: error\ndata: {"error":{"message":"boom"}}\n\n',
  'an event named error with a text': 'event: error\ndata: boom\n\n',
  'an event named error with broken JSON': 'event: error\ndata: {"boom\n\n',
  'an event named error without data': 'event: error\ndata:\n\n',
  'a line of JSON': '{"error":{"message":"boom"}}\n\n',
  'a body of JSON': '{\n  "detail": "boom"\n}\n',
  'a page': '<html><head><title>502 Bad Gateway</title></head></html>\n',
  'a page as data': data('<html><head><title>502 Bad Gateway</title></head></html>'),
  'words as data': data('upstream connect error or disconnect/reset before headers'),
  'broken JSON': data('{"choices":[{"delta":{"content":"wor'),
  'a list as data': data('[{"error":{"code":500,"message":"boom"}}]'),
};

/** Events and lines that say nothing. */
const silences: Readonly<Record<string, string>> = {
  'no text': 'data:\n\n',
  'a space': 'data: \n\n',
  spaces: 'data:    \n\n',
  null: 'data: null\n\n',
  'a comment as data': 'data: : keepalive\n\n',
  'a word': 'data: ping\n\n',
  'a named event without data': 'event: ping\ndata:\n\n',
  'an empty object': 'data: {}\n\n',
  'a ping of another dialect': 'data: {"type":"heartbeat"}\n\n',
  'a comment': ': OPENROUTER PROCESSING\n\n',
  'an unknown field': 'keepalive: 1\n\n',
  'a word without a field': 'keepalive\n\n',
};

const read = (dialect: Dialect, text: string): readonly StreamPart[] =>
  readStream(translators[dialect], [Buffer.from(text)]);
const cases = (texts: Readonly<Record<string, string>>) =>
  dialects.flatMap((dialect) =>
    Object.entries(texts).map(([name, text]) => ({ dialect, name, text })),
  );

describe('a failure in the middle of an answer', () => {
  test.each(cases(failures))('$dialect: $name', ({ dialect, text }) => {
    const { begin, mark } = samples[dialect];
    for (const rest of [text + mark, text]) {
      const parts = read(dialect, begin + rest);
      expect(parts.filter(({ type }) => type === 'finish' || type === 'error')).toMatchObject([
        { type: 'error', code: 'provider_unavailable' },
      ]);
      expect(parts.at(-1)?.type).toBe('error');
      expect(parts.some(({ type }) => type === 'text-delta')).toBe(true);
    }
  });

  test.each(cases(failures))('$dialect: $name reads the same in pieces', ({ dialect, text }) => {
    const { begin, mark } = samples[dialect];
    const bytes = Buffer.from(begin + text + mark);
    const whole = readStream(translators[dialect], [bytes]);
    const pieces = [...bytes].map((_, at) => bytes.subarray(at, at + 1));
    expect(readStream(translators[dialect], pieces)).toEqual(whole);
  });

  test.each(dialects)('%s: its meaning is known from its words', (dialect) => {
    const { begin, mark } = samples[dialect];
    const message = "This model's maximum context length is 4096 tokens, your request has 5000";
    for (const text of [
      data({ object: 'error', message, code: 400 }),
      data({ detail: message }),
      `event: error\ndata: ${message}\n\n`,
      `${JSON.stringify({ error: { message } }, undefined, 2)}\n`,
      data({ error: { message } }),
    ])
      expect(read(dialect, begin + text + mark).at(-1)).toMatchObject({
        type: 'error',
        code: 'context_length_exceeded',
        message,
      });
  });

  test('reports the usage so far', () => {
    const usage = { prompt_tokens: 3, completion_tokens: 1 };
    const begin = data({ id: 'x', choices: [{ delta: { content: 'Hello' } }], usage });
    const counted = { type: 'error', usage: { inputTokens: 3, outputTokens: 1 } };
    expect(read('openai-chat', begin + data({ detail: 'boom' }, '[DONE]')).at(-1)).toMatchObject(
      counted,
    );
    expect(read('openai-chat', `${begin}event: error\ndata: boom\n\n`).at(-1)).toMatchObject(
      counted,
    );
  });
});

describe('an event that says nothing', () => {
  test.each(cases(silences))('$dialect: $name is none', ({ dialect, text }) => {
    const { begin, end } = samples[dialect];
    const expected = read(dialect, begin + end);
    expect(expected.at(-1)).toMatchObject({ type: 'finish' });
    expect(read(dialect, text + begin + text + end + text)).toEqual(expected);
    // Within the events that end the answer.
    expect(read(dialect, begin + end.replaceAll('\n\n', `\n\n${text}`))).toEqual(expected);
  });

  test.each(cases(silences))('$dialect: $name alone is no answer', ({ dialect, text }) => {
    expect(read(dialect, text.repeat(3))).toMatchObject([{ type: 'error' }]);
  });

  test.each(dialects)('%s: [DONE] is told twice, or by a server that need not', (dialect) => {
    const { begin, end } = samples[dialect];
    const done = data('[DONE]');
    expect(read(dialect, begin + end + done + done)).toEqual(read(dialect, begin + end));
  });

  test.each(dialects)('%s: strays are counted, events without data are not', (dialect) => {
    const { begin, end } = samples[dialect];
    let strays = 0;
    const reader = eventReader(translators[dialect].stream(() => (strays += 1)));
    reader.push(
      Buffer.from(`${begin}data:\n\n: comment\n\ndata: : keepalive\n\nkeepalive\n${end}`),
    );
    reader.end();
    expect(strays).toBe(2);
  });
});

describe('a body with status 200 that is no answer', () => {
  test.each(dialects)('%s: tells the failure that it means', (dialect) => {
    const message = 'prompt is too long: 250000 tokens > 200000 maximum';
    for (const body of [
      { object: 'error', message, code: 400 },
      { detail: message },
      { errors: [{ message }] },
      { message },
      { error: { message } },
      { error: message },
      { base_resp: { status_code: 1039, status_msg: message } },
    ])
      expect(translators[dialect].whole(body)).toMatchObject([
        { type: 'error', code: 'context_length_exceeded' },
      ]);
  });

  test('fails although MiniMax adds empty choices', () => {
    const failed = { status_code: 1008, status_msg: 'insufficient balance' };
    const body = { id: 'x', choices: [{ message: { content: 'a' } }], base_resp: failed };
    expect(translators['openai-chat'].whole(body)).toMatchObject([{ type: 'error' }]);
    const fine = { ...body, base_resp: { status_code: 0, status_msg: 'success' } };
    expect(translators['openai-chat'].whole(fine).at(-1)).toMatchObject({ type: 'finish' });
  });
});

/** The provider charges such an answer. A code of a provider would mean that it declared a failure, which is free. */
describe('an answer of another dialect', () => {
  const fixture = (dialect: Dialect, file: string): Buffer =>
    readFileSync(new URL(`${dialect}/fixtures/${file}`, import.meta.url));
  const malformed = { type: 'error', code: 'provider_unavailable', providerCode: undefined };
  const pairs = dialects.flatMap((dialect) =>
    dialects.filter((other) => other !== dialect).map((other) => ({ dialect, other })),
  );

  test.each(pairs)('$dialect reads $other: a whole body tells no failure', ({ dialect, other }) => {
    const body: unknown = JSON.parse(fixture(other, 'text.json').toString());
    expect(translators[dialect].whole(body).at(-1)).toMatchObject(malformed);
  });

  test.each(pairs)('$dialect reads $other: a stream tells no failure', ({ dialect, other }) => {
    const parts = readStream(translators[dialect], [fixture(other, 'text.sse')]);
    expect(parts.at(-1)).toMatchObject(malformed);
  });

  test.each(dialects)('%s: the type of a single stray event is no code of a failure', (dialect) => {
    const { begin } = samples[dialect];
    const parts = read(dialect, begin + data({ type: 'heartbeat', code: 'alive' }));
    expect(parts.at(-1)).toMatchObject(malformed);
  });

  test.each(dialects)('%s: a body with a type and a code alone tells no failure', (dialect) => {
    const body = { type: 'note', code: 'ok', error: null };
    expect(translators[dialect].whole(body)).toMatchObject([malformed]);
  });
});
