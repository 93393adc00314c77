import { deepEqual, equal } from 'node:assert/strict';
import type { ContentPart, InferenceRequest } from '@sluice/inference';
import { describe, test } from 'vitest';
import { embeddingGap } from './abilities.ts';
import { compatibleChat, type Dialect, type Endpoint, mistralChat } from './endpoint.ts';
import { translators } from './wire-body.ts';

const endpoint = (dialect: Dialect, more: Partial<Endpoint> = {}): Endpoint => ({
  provider: 'p',
  dialect,
  baseUrl: 'https://api.example.com/v1',
  apiKey: undefined,
  upstreamModel: 'vectors-1',
  ...more,
});

const text = (value: string): ContentPart => ({ type: 'text', text: value });
const request = (
  contents: readonly (readonly ContentPart[])[],
  embedding: Partial<InferenceRequest['embedding'] & object> = {},
): InferenceRequest => ({
  items: contents.map((content) => ({ type: 'message', role: 'user', content })),
  tools: [],
  toolChoice: { type: 'none' },
  parallelToolCalls: undefined,
  maxOutputTokens: 0,
  temperature: undefined,
  topP: undefined,
  embedding: { dimensions: undefined, inputType: undefined, ...embedding },
  stream: false,
});

const wireOf = (dialect: Dialect) => {
  const { embeddings } = translators[dialect];
  if (!embeddings) throw new Error(`${dialect} has no embeddings`);
  return embeddings;
};
const bodyOf = (of: Endpoint, asked: InferenceRequest): unknown =>
  JSON.parse(JSON.stringify(wireOf(of.dialect).body(of, asked)));

const two = request([[text('one')], [text('t'), text('wo')]]);
const openAi = ['openai-chat', 'openai-responses'] as const;

describe.each(openAi)('the body of %s', (dialect) => {
  test('has each input as one text, and asks OpenAI for base64', () => {
    equal(wireOf(dialect).path(endpoint(dialect)), '/embeddings');
    deepEqual(bodyOf(endpoint(dialect), two), {
      model: 'vectors-1',
      input: ['one', 'two'],
      encoding_format: 'base64',
    });
  });

  test('has tokens and dimensions, and the use only for servers that take it', () => {
    const embedding = { dimensions: 256, inputType: 'query', tokens: [[1, 2], [3]] };
    const asked = request([], embedding);
    const common = { model: 'vectors-1', input: [[1, 2], [3]], dimensions: 256 };
    const base64 = { ...common, encoding_format: 'base64' };
    deepEqual(bodyOf(endpoint(dialect), asked), base64);
    deepEqual(bodyOf(endpoint(dialect, { chat: mistralChat }), asked), base64);
    deepEqual(bodyOf(endpoint(dialect, { chat: compatibleChat }), asked), {
      ...common,
      input_type: 'query',
    });
  });
});

test('the body of Gemini has a request per input, with its own words for the use', () => {
  const gemini = endpoint('google-gemini', { upstreamModel: 'models/gemini embedding' });
  equal(wireOf('google-gemini').path(gemini), '/models/gemini%20embedding:batchEmbedContents');
  const content = (value: string) => ({ parts: [{ text: value }] });
  deepEqual(bodyOf(gemini, request([[text('one')], [text('two')]])), {
    requests: [
      { model: 'models/gemini embedding', content: content('one') },
      { model: 'models/gemini embedding', content: content('two') },
    ],
  });
  const taskOf = (inputType: string) => {
    const body = bodyOf(gemini, request([[text('one')]], { dimensions: 8, inputType }));
    const [first] = (body as { requests: Record<string, unknown>[] }).requests;
    equal(first?.['outputDimensionality'], 8);
    return first?.['taskType'];
  };
  for (const [inputType, taskType] of [
    ['search_query', 'RETRIEVAL_QUERY'],
    ['passage', 'RETRIEVAL_DOCUMENT'],
    ['clustering', 'CLUSTERING'],
    ['CODE_RETRIEVAL_QUERY', 'CODE_RETRIEVAL_QUERY'],
    ['constructor', undefined],
    ['some other use', undefined],
  ] as const)
    equal(taskOf(inputType), taskType, inputType);
});

test('a medium is a part of its input for Gemini', () => {
  const source = { type: 'data', mediaType: 'image/png', base64: 'aGk=' } as const;
  const asked = request([[text('a cat'), { type: 'image', source, detail: 'auto' }]]);
  const body = bodyOf(endpoint('google-gemini'), asked) as { requests: { content: object }[] };
  deepEqual(body.requests[0]?.content, {
    parts: [{ text: 'a cat' }, { inlineData: { mimeType: 'image/png', data: 'aGk=' } }],
  });
  equal(embeddingGap(endpoint('google-gemini'), asked), undefined);
  equal(embeddingGap(endpoint('openai-chat'), asked), 'media');
});

test.each<[Dialect, InferenceRequest, string | undefined]>([
  ['openai-chat', request([], { tokens: [[1]] }), undefined],
  ['google-gemini', request([], { tokens: [[1]] }), 'tokens'],
  ['anthropic-messages', request([], { tokens: [[1]] }), 'tokens'],
  ['openai-responses', request([[text('a')]]), undefined],
  ['google-gemini', request([[text('a')]]), undefined],
  ['anthropic-messages', request([]), undefined],
  ['anthropic-messages', request([[text('a')]]), 'media'],
])('%s has the gap %3$s', (dialect, asked, gap) => {
  equal(embeddingGap(endpoint(dialect), asked), gap);
});

const base64 = (...values: readonly number[]) =>
  Buffer.from(Float32Array.from(values).buffer).toString('base64');
const usage = { prompt_tokens: 7, total_tokens: 7 };
const entry = (index: number, embedding: unknown) => ({ object: 'embedding', index, embedding });
const counted = { inputTokens: 7, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0 };
const finish = (known: typeof counted | undefined) => ({
  type: 'finish',
  reason: 'stop',
  nativeReason: undefined,
  usage: known,
});

describe('the answer of OpenAI', () => {
  const read = (body: unknown, inputs = 2) => wireOf('openai-chat').whole(body, inputs);

  test('is one part, in the order of the inputs', () => {
    const data = [entry(1, base64(3, 4)), entry(0, base64(1, 2))];
    deepEqual(read({ object: 'list', data, model: 'm', usage }), [
      { type: 'response-start', upstreamId: undefined },
      { type: 'embeddings', vectors: [base64(1, 2), base64(3, 4)] },
      finish(counted),
    ]);
  });

  test('may have numbers, no index, an id and only the total of the usage', () => {
    const data = [{ embedding: [1, 2] }, { embedding: [0.5, -1e-8] }];
    deepEqual(read({ id: 'emb_1', data, usage: { total_tokens: 7 } }), [
      { type: 'response-start', upstreamId: 'emb_1' },
      {
        type: 'embeddings',
        vectors: [
          [1, 2],
          [0.5, -1e-8],
        ],
      },
      finish(counted),
    ]);
  });

  test('may have base64 without padding', () => {
    const bare = base64(1, 2).replace(/=+$/, '');
    deepEqual(read({ data: [entry(0, bare)] }, 1)[1], { type: 'embeddings', vectors: [bare] });
  });

  test('may have no usage, or one that cannot be read', () => {
    const data = [entry(0, [1])];
    deepEqual(read({ data }, 1).at(-1), finish(undefined));
    const parts = read({ data, usage: { prompt_tokens: -1 } }, 1);
    deepEqual(parts[1], { type: 'unread-usage', raw: '{"prompt_tokens":-1}' });
    deepEqual(parts.at(-1), finish(undefined));
  });

  test.each<[string, unknown]>([
    ['no object', 'vectors'],
    ['no data', { usage }],
    ['a vector too few', { data: [entry(0, [1])], usage }],
    ['a vector too many', { data: [0, 1, 2].map((index) => entry(index, [1])), usage }],
    ['a vector twice', { data: [entry(0, [1]), entry(0, [1])], usage }],
    ['a gap', { data: [entry(0, [1]), entry(2, [1])], usage }],
    ['an empty vector', { data: [entry(0, []), entry(1, [1])], usage }],
    ['a vector of texts', { data: [entry(0, ['1']), entry(1, [1])], usage }],
    ['a number that is none', { data: [entry(0, [Infinity]), entry(1, [1])], usage }],
    ['no base64', { data: [entry(0, '!!!!'), entry(1, [1])], usage }],
    ['the base64 of URLs', { data: [entry(0, '____'), entry(1, [1])], usage }],
    ['half a float', { data: [entry(0, 'aGk='), entry(1, [1])], usage }],
    ['a float that is no number', { data: [entry(0, base64(NaN)), entry(1, [1])], usage }],
  ])('is malformed with %s', (_, body) => {
    const last = read(body).at(-1);
    equal(last?.type === 'error' && last.code, 'provider_unavailable');
    const isBilled = typeof body === 'object';
    deepEqual(last?.type === 'error' && last.usage, isBilled ? counted : undefined);
  });

  test('may be an error with status 200', () => {
    const [part] = read({ error: { message: 'Rate limit', type: 'rate_limit_error' } });
    equal(part?.type, 'error');
  });
});

describe('the answer of Gemini', () => {
  const read = (body: unknown) => wireOf('google-gemini').whole(body, 2);
  const embeddings = [{ values: [1, 2] }, { values: [3, 4] }];
  const vectors = [
    [1, 2],
    [3, 4],
  ];

  test('is one part, with the usage if there is one', () => {
    deepEqual(read({ embeddings }), [
      { type: 'response-start', upstreamId: undefined },
      { type: 'embeddings', vectors },
      finish(undefined),
    ]);
    const usageMetadata = { promptTokenCount: 7, promptTokenDetails: [] };
    deepEqual(read({ embeddings, usageMetadata }).at(-1), finish(counted));
  });

  test('is malformed without a vector for each input, and may be an error', () => {
    equal(read({ embeddings: [{ values: [1] }] }).at(-1)?.type, 'error');
    equal(read([]).at(-1)?.type, 'error');
    const [error] = read({ error: { code: 429, message: 'slow down' } });
    equal(error?.type === 'error' && error.code, 'provider_rate_limited');
  });
});
