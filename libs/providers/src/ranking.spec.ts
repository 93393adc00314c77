import { deepEqual } from 'node:assert/strict';
import type { ContentPart, InferenceRequest } from '@sluice/inference';
import { describe, test } from 'vitest';
import { type Endpoint, openAiChat } from './endpoint.ts';
import { usualRanking } from './ranking.ts';

const endpoint: Endpoint = {
  provider: 'p',
  dialect: 'openai-chat',
  baseUrl: 'https://api.example.com/v1',
  apiKey: undefined,
  upstreamModel: 'ranker-1',
  chat: openAiChat,
};
const text = (value: string): ContentPart => ({ type: 'text', text: value });
const picture: ContentPart = {
  type: 'image',
  source: { type: 'url', url: 'https://example.com/cat.png' },
  detail: 'auto',
};

function request(topN: number | undefined, ...contents: ContentPart[][]): InferenceRequest {
  return {
    items: contents.map((content) => ({ type: 'message', role: 'user', content })),
    tools: [],
    toolChoice: { type: 'none' },
    parallelToolCalls: undefined,
    maxOutputTokens: 0,
    temperature: undefined,
    topP: undefined,
    ranking: { topN },
    stream: false,
  };
}
const three = (topN?: number) =>
  request(topN, [text('cat')], [text('a dog')], [text('a cat')], [text('a cow')]);

describe('the body', () => {
  const bodyOf = (asked: InferenceRequest): unknown =>
    JSON.parse(JSON.stringify(usualRanking.body(endpoint, asked)));

  test('has the documents as texts', () => {
    deepEqual(bodyOf(three(2)), {
      model: 'ranker-1',
      query: 'cat',
      documents: ['a dog', 'a cat', 'a cow'],
      top_n: 2,
    });
  });

  test('has an object for a document with a picture alone', () => {
    const asked = request(undefined, [text('cat')], [picture], [text('x'), picture], [text('y')]);
    const image = 'https://example.com/cat.png';
    deepEqual(bodyOf(asked), {
      model: 'ranker-1',
      query: 'cat',
      documents: [{ image }, { text: 'x', image }, 'y'],
    });
  });
});

/** Answers as the documentation of each server shows them. */
const cohere = {
  results: [
    { index: 1, relevance_score: 0.999071 },
    { index: 2, relevance_score: 0.7867867 },
    { index: 0, relevance_score: 0.32713068 },
  ],
  id: '07734bd2-2473-4f07-94e1-0d9f0e6843cf',
  meta: {
    api_version: { version: '2', is_experimental: false },
    billed_units: { search_units: 1 },
  },
};
const jina = {
  model: 'jina-reranker-v2-base-multilingual',
  object: 'list',
  usage: { total_tokens: 815, prompt_tokens: 815 },
  results: [
    { index: 2, document: { text: 'a cow' }, relevance_score: 0.8 },
    { index: 0, document: { text: 'a dog' }, relevance_score: 0.1 },
  ],
};
const vllm = {
  id: 'rerank-fae51b2b664d4ed38f5969b612edff77',
  model: 'BAAI/bge-reranker-base',
  usage: { total_tokens: 56 },
  results: [
    { index: 0, document: { text: 'a dog' }, relevance_score: 0.0011 },
    { index: 1, document: { text: 'a cat' }, relevance_score: 0.99853515625 },
  ],
};
const tokens = (inputTokens: number) => ({
  inputTokens,
  cachedTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
});

describe('the answer', () => {
  test.each([
    ['Cohere', cohere, [1, 2, 0], { ...tokens(0), searchUnits: 1 }],
    ['Jina', jina, [2, 0], tokens(815)],
    ['vLLM, which does not sort,', vllm, [1, 0], tokens(56)],
  ])('of %s has the ranks and the usage', (_name, body, places, usage) => {
    const [start, ranks, finish] = usualRanking.whole(body, three());
    deepEqual(start, { type: 'response-start', upstreamId: 'id' in body ? body.id : undefined });
    deepEqual(ranks?.type === 'ranks' && ranks.ranks.map(({ index }) => index), places);
    deepEqual(finish, { type: 'finish', reason: 'stop', nativeReason: undefined, usage });
  });

  test('is cut to the number that was asked for, the most relevant first', () => {
    const [, ranks] = usualRanking.whole(vllm, three(1));
    deepEqual(ranks, { type: 'ranks', ranks: [{ index: 1, score: 0.99853515625 }] });
  });

  const rank = { index: 0, relevance_score: 0.5 };
  test.each([
    ['no object', []],
    ['no results', { results: [] }],
    ['a place that was not sent', { results: [{ ...rank, index: 3 }] }],
    ['a place that is none', { results: [{ ...rank, index: -1 }] }],
    ['a place twice', { results: [rank, rank] }],
    ['a score that is no number', { results: [{ ...rank, relevance_score: '0.5' }] }],
    ['a result that is no object', { results: [null] }],
  ])('with %s is malformed', (_name, body) => {
    deepEqual(usualRanking.whole(body, three()).at(-1)?.type, 'error');
  });

  test.each([
    ['negative units', { meta: { billed_units: { search_units: -1 } } }],
    ['a fraction of tokens', { usage: { total_tokens: 1.5 } }],
  ])('with %s has a usage that cannot be read', (_name, usage) => {
    const parts = usualRanking.whole({ results: [rank], ...usage }, three());
    deepEqual(
      parts.map(({ type }) => type),
      ['response-start', 'unread-usage', 'ranks', 'finish'],
    );
  });
});
