import type { StreamPart } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { readStream } from '../testing/read-stream.ts';
import { openAiChatTranslator } from './openai-chat.ts';

const parts = (...events: readonly object[]): readonly StreamPart[] =>
  readStream(openAiChatTranslator, [
    Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')),
    Buffer.from('data: [DONE]\n\n'),
  ]);
const said = (delta: object, more: object = {}) => ({ id: 'x', choices: [{ delta, ...more }] });
const stop = { id: 'x', choices: [{ delta: { content: 'a' }, finish_reason: 'stop' }] };
const ending = (...events: readonly object[]) => parts(...events).at(-1);

describe('the usage of servers that differ from OpenAI:', () => {
  const usage = { inputTokens: 100, cachedTokens: 0, outputTokens: 20, reasoningTokens: 0 };
  const reported = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

  test.each<[string, object, object]>([
    ['OpenAI', reported, usage],
    [
      'thoughts are among the output of most',
      { ...reported, completion_tokens_details: { reasoning_tokens: 15 } },
      { ...usage, reasoningTokens: 15 },
    ],
    [
      'thoughts are beside the output of xAI, whose total says so',
      { ...reported, total_tokens: 435, completion_tokens_details: { reasoning_tokens: 315 } },
      { ...usage, outputTokens: 335, reasoningTokens: 315 },
    ],
    [
      'DeepSeek tells hits of its cache by another name',
      { ...reported, prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 36 },
      { ...usage, cachedTokens: 64 },
    ],
    [
      'Together and Moonshot tell them beside',
      { ...reported, cached_tokens: 7 },
      { ...usage, cachedTokens: 7 },
    ],
    [
      'a count in two fields is used once',
      { ...reported, prompt_tokens_details: { cached_tokens: 64 }, prompt_cache_hit_tokens: 64 },
      { ...usage, cachedTokens: 64 },
    ],
    [
      'OpenRouter tells what it wrote to the cache',
      { ...reported, prompt_tokens_details: { cached_tokens: 10, cache_write_tokens: 30 } },
      { ...usage, cachedTokens: 10, cacheWriteTokens: 30 },
    ],
    [
      'nulls count nothing',
      {
        ...reported,
        prompt_tokens_details: null,
        completion_tokens_details: { reasoning_tokens: null },
      },
      usage,
    ],
  ])('%s', (_, wire, expected) => {
    expect(ending(stop, { choices: [], usage: wire })).toMatchObject({
      type: 'finish',
      usage: expected,
    });
    const whole = { id: 'x', choices: [{ message: { content: 'a' }, finish_reason: 'stop' }] };
    expect(openAiChatTranslator.whole({ ...whole, usage: wire }).at(-1)).toMatchObject({
      usage: expected,
    });
  });

  test.each<[string, readonly object[]]>([
    ['on the chunk that ends', [{ ...stop, usage: reported }]],
    ['of Groq, in a place of its own', [{ ...stop, x_groq: { id: 'req_1', usage: reported } }]],
    ['of Moonshot, in the choice', [{ choices: [{ ...stop.choices[0], usage: reported }] }]],
    [
      'that grows with each chunk: the last one counts',
      [
        { ...stop, usage: { ...reported, completion_tokens: 1 } },
        { choices: [], usage: reported },
      ],
    ],
    ['before an empty last chunk', [{ ...stop, usage: reported }, { choices: [] }]],
  ])('%s', (_, events) => {
    expect(ending(...events)).toMatchObject({ type: 'finish', usage });
  });

  test('thoughts above the output are implausible, unless the total includes them', () => {
    const absurd = {
      prompt_tokens: 1,
      completion_tokens: 2,
      completion_tokens_details: { reasoning_tokens: 9 },
    };
    expect(ending(stop, { choices: [], usage: absurd })).toMatchObject({ usage: undefined });
  });
});

describe('the output of servers that differ from OpenAI:', () => {
  test.each([
    ['stop', 'stop'],
    ['eos', 'stop'],
    ['length', 'length'],
    ['model_length', 'length'],
    ['tool_calls', 'tool-calls'],
    ['content_filter', 'content-filter'],
  ])('finish reason %s maps to %s', (word, reason) => {
    expect(ending(said({ content: 'a' }, { finish_reason: word }))).toMatchObject({ reason });
  });

  test.each(['error', 'abort', 'insufficient_system_resource'])(
    '%s is a failure that the server declares, and its parts stay open',
    (word) => {
      const read = parts(said({ content: 'a' }, { finish_reason: word }));
      expect(read.at(-1)).toMatchObject({ type: 'error', providerCode: word });
      expect(read.map(({ type }) => type)).not.toContain('text-end');
    },
  );

  test('thoughts in either field, or within the text of Mistral', () => {
    const kinds = (delta: object) =>
      parts(said(delta), stop).flatMap((part) =>
        'delta' in part ? [[part.type, part.delta]] : [],
      );
    const both = [
      ['reasoning-delta', 'hm'],
      ['text-delta', 'b'],
      ['text-delta', 'a'],
    ];
    expect(kinds({ reasoning_content: 'hm', content: 'b' })).toEqual(both);
    expect(kinds({ reasoning_content: '', reasoning: 'hm', content: 'b' })).toEqual(both);
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
      { type: 'text', text: 'b' },
      { type: 'reference', reference_ids: [1] },
    ];
    expect(kinds({ content })).toEqual(both);
  });

  test('calls that all have the index 0 are distinguished by their ids', () => {
    const call = (id: string, name: string) =>
      said({ tool_calls: [{ index: 0, id, function: { name, arguments: '{}' } }] });
    const read = parts(call('a', 'f'), call('b', 'g'), stop);
    expect(read.flatMap((part) => (part.type === 'tool-call-start' ? [part.callId] : []))).toEqual([
      'a',
      'b',
    ]);
    expect(read.filter(({ type }) => type === 'tool-call-end')).toHaveLength(2);
  });

  test('an id that repeats with each delta is still one call', () => {
    const piece = (text: string) =>
      said({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: text } }] });
    const read = parts(piece('{'), piece('}'), stop);
    expect(read.filter(({ type }) => type === 'tool-call-start')).toHaveLength(1);
  });

  const piece = (call: object) => said({ tool_calls: [{ index: 0, ...call }] });
  const callsOf = (read: readonly StreamPart[]): readonly unknown[] =>
    read.flatMap((part): readonly unknown[] => {
      if (part.type === 'tool-call-start') return [[part.callId, part.name]];
      return part.type === 'tool-call-delta' ? [part.delta] : [];
    });
  const calling = { choices: [{ delta: {}, finish_reason: 'tool_calls' }] };

  test('the name of a function may come after its id and its arguments', () => {
    const read = parts(
      piece({ id: 'a', function: { arguments: '' } }),
      piece({ function: { arguments: '{"b"' } }),
      piece({ function: { name: 'f', arguments: ':1' } }),
      piece({ function: { arguments: '}' } }),
      calling,
    );
    expect(callsOf(read)).toEqual([['a', 'f'], '{"b":1', '}']);
    expect(read.at(-1)).toMatchObject({ type: 'finish', reason: 'tool-calls' });
    expect(read.filter(({ type }) => type === 'tool-call-end')).toHaveLength(1);
  });

  test('a call whose name never comes fails the answer, unless a limit cut it', () => {
    const nameless = piece({ id: 'a', function: { arguments: '{}' } });
    const usage = { choices: [], usage: { prompt_tokens: 5, completion_tokens: 7 } };
    expect(ending(nameless, calling, usage)).toMatchObject({
      type: 'error',
      message: 'The answer of the provider is malformed',
      usage: { outputTokens: 7 },
    });
    expect(ending(nameless, { choices: [{ finish_reason: 'length' }] })).toMatchObject({
      type: 'finish',
      reason: 'length',
    });
    const message = { tool_calls: [{ id: 'a', function: { arguments: '{}' } }] };
    const whole = { choices: [{ message, finish_reason: 'tool_calls' }] };
    expect(openAiChatTranslator.whole(whole).at(-1)).toMatchObject({ type: 'error' });
  });

  test('nameless calls are bounded', () => {
    const calls = Array.from({ length: 257 }, (_, index) =>
      said({ tool_calls: [{ index, function: { arguments: '{' } }] }),
    );
    expect(ending(...calls)).toMatchObject({ type: 'error' });
  });

  test('a call in `function_call`, the form before there were tools', () => {
    const called = (field: object) => said({ function_call: field });
    const read = parts(
      called({ name: 'f', arguments: '' }),
      called({ arguments: '{"b"' }),
      called({ arguments: ':1}' }),
      { choices: [{ delta: {}, finish_reason: 'function_call' }] },
    );
    expect(callsOf(read)).toEqual([['', 'f'], '{"b"', ':1}']);
    expect(read.at(-1)).toMatchObject({ type: 'finish', reason: 'tool-calls' });
    const message = { content: null, function_call: { name: 'f', arguments: '{"b":1}' } };
    const whole = { choices: [{ message, finish_reason: 'function_call' }] };
    expect(callsOf(openAiChatTranslator.whole(whole))).toEqual([['', 'f'], '{"b":1}']);
  });

  test('only the choice with the index 0 is read', () => {
    const other = (index: number | undefined, content: string) => ({
      choices: [{ index, delta: { content } }],
    });
    const both = { choices: [other(1, 'x').choices[0], other(0, 'c').choices[0]] };
    const read = parts(
      other(0, 'a'),
      other(1, 'x'),
      other(undefined, 'b'),
      both,
      { choices: [{ index: 1, delta: {}, finish_reason: 'stop' }] },
      { choices: [{ index: 0, delta: { content: 'd' }, finish_reason: 'length' }] },
    );
    const text = read.map((part) => ('delta' in part ? part.delta : '')).join('');
    expect(text).toBe('abcd');
    expect(read.at(-1)).toMatchObject({ type: 'finish', reason: 'length' });
    const choices = [1, 0].map((index) => ({
      index,
      message: { content: String(index) },
      finish_reason: 'stop',
    }));
    expect(openAiChatTranslator.whole({ choices })).toContainEqual({
      type: 'text-delta',
      part: 0,
      delta: '0',
    });
  });

  test('an error inside a stream of Groq is recognized', () => {
    expect(ending(said({ content: 'a' }), { x_groq: { error: 'over capacity' } })).toMatchObject({
      type: 'error',
    });
  });
});

describe('errors of servers that differ from OpenAI:', () => {
  test.each<[string, object]>([
    [
      'vLLM',
      {
        object: 'error',
        message:
          "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
        type: 'BadRequestError',
        code: 400,
      },
    ],
    [
      'Mistral',
      {
        object: 'error',
        message:
          'Prompt contains 40000 tokens, too large for model with 32768 maximum context length',
        type: 'invalid_request_error',
        code: '3051',
      },
    ],
    [
      'llama.cpp',
      {
        error: {
          code: 400,
          message: 'the request exceeds the available context size. context length exceeded',
          type: 'exceed_context_size_error',
        },
      },
    ],
    ['OpenAI', { error: { message: 'too long', code: 'context_length_exceeded' } }],
  ])('a prompt beyond the context of %s', (_, body) => {
    expect(openAiChatTranslator.error(400, body)).toMatchObject({
      code: 'context_length_exceeded',
    });
  });

  test('a field error of a Python server', () => {
    const detail = [{ type: 'missing', loc: ['body', 'messages'], msg: 'Field required' }];
    expect(openAiChatTranslator.error(422, { detail })).toMatchObject({
      code: 'unprocessable',
      message: 'body.messages: Field required',
    });
    const message = { detail: [{ loc: ['body', 'stream_options'], msg: 'Extra inputs' }] };
    expect(openAiChatTranslator.error(422, { object: 'error', message })).toMatchObject({
      message: 'body.stream_options: Extra inputs',
    });
    expect(openAiChatTranslator.error(400, { detail: 'no' })).toMatchObject({ message: 'no' });
  });

  test('a text instead of an error object, as Ollama sends it', () => {
    expect(openAiChatTranslator.error(400, { error: 'model is no model' })).toMatchObject({
      message: 'model is no model',
    });
  });
});

describe('pictures beside the text, as OpenRouter sends them', () => {
  const image = (url: string) => ({ type: 'image_url', image_url: { url } });

  test('are parts between the texts', () => {
    const told = parts(
      said({ content: 'look' }),
      said({ content: '', images: [image('data:image/WEBP;base64,aGk=')] }),
      said({ content: 'nice' }),
      stop,
    );
    const kinds = told.map(({ type }) => type);
    expect(kinds.filter((kind) => kind.endsWith('-start') || kind === 'image')).toEqual([
      'response-start',
      'text-start',
      'image',
      'text-start',
    ]);
    expect(told).toContainEqual({
      type: 'image',
      part: 1,
      base64: 'aGk=',
      mediaType: 'image/webp',
    });
  });

  test('stand in a whole message too, and are output by themselves', () => {
    const message = { content: null, images: [image('data:image/png;base64,aGk=')] };
    const whole = openAiChatTranslator.whole({ choices: [{ message, finish_reason: 'stop' }] });
    expect(whole.map(({ type }) => type)).toEqual(['response-start', 'image', 'finish']);
  });

  test.each([
    'https://a.example/b.png',
    'data:image/png;base64,',
    'data:text/plain;base64,aGk=',
    '',
  ])('are left out if they are none: %s', (url) => {
    const told = parts(said({ images: [image(url), null, 'x'] }), stop);
    expect(told.map(({ type }) => type)).not.toContain('image');
  });

  test('are bounded', () => {
    const images = Array.from({ length: 300 }, () => image('data:image/png;base64,aGk='));
    expect(ending(said({ images }))).toMatchObject({ type: 'error' });
  });
});
