import { randomBytes } from 'node:crypto';
import { errorBody, reportedUsage, type Dialect, type Served } from './dialect.ts';
import type { Generation } from './generation.ts';
import { fieldsOf, refuseUnknown } from './known-fields.ts';
import {
  BadRequest,
  isObject,
  type JsonObject,
  mediaTokensText,
  type Prompt,
  type Ranking,
} from './prompt.ts';
import { tokensOf } from './tokens.ts';

/** `POST /v1/rerank`: the calls of Jina and vLLM, and those of Cohere for models whose name begins with `cohere`. */
export const rerank: Dialect = {
  name: 'rerank',
  newId: () => `rerank-sim-${randomBytes(12).toString('hex')}`,
  readPrompt,
  body,
  // It keeps no answers.
  stored: () => undefined,
  frames: () => [],
  failure: () => ({
    frames: '',
    status: 500,
    body: errorBody(500, 'The simulated model broke'),
  }),
};

const fields = fieldsOf('model query documents top_n return_documents');
const documentFields = fieldsOf('text image');
const unknown = (name: string): string => `Unknown field: ${name}`;

function readPrompt(body: JsonObject): Prompt {
  refuseUnknown(body, fields, unknown);
  const { model, query, documents, top_n: topN } = body;
  if (typeof model !== 'string' || model === '') throw new BadRequest('model is required');
  if (typeof query !== 'string' || query === '') throw new BadRequest('query is required');
  if (!Array.isArray(documents) || documents.length === 0)
    throw new BadRequest('at least one document is required');
  const isCohere = model.startsWith('cohere');
  const texts = documents.map((document) => textOf(document, isCohere));
  return {
    model,
    // The model reads the query with each document.
    turns: texts.flatMap((text) => [
      { role: 'user', text: query },
      { role: 'user', text },
    ]),
    tools: [],
    toolChoice: 'none',
    parallelToolCalls: false,
    outputTokensMax: undefined,
    streamed: false,
    includeUsage: true,
    isStored: false,
    ranking: { query, documents: texts, topN: topNOf(topN, documents.length), isCohere },
  };
}

function textOf(document: unknown, isCohere: boolean): string {
  if (typeof document === 'string') return document;
  if (isCohere || !isObject(document)) throw new BadRequest('documents must be strings');
  refuseUnknown(document, documentFields, unknown);
  const { text, image } = document;
  if (typeof text !== 'string' && typeof image !== 'string')
    throw new BadRequest('a document has a text or an image');
  return [text, image === undefined ? undefined : mediaTokensText].join('');
}

function topNOf(value: unknown, documents: number): number {
  if (value === undefined || value === null) return documents;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1)
    throw new BadRequest('top_n must be at least 1');
  return Math.min(value, documents);
}

function body(served: Served): object {
  const { id, prompt } = served;
  const ranking = rankingOf(prompt);
  const scored = ranking.documents.map((text, index) => ({
    index,
    relevance_score: scoreOf(ranking.query, text),
  }));
  const results = scored
    .toSorted((a, b) => b.relevance_score - a.relevance_score)
    .slice(0, ranking.topN);
  if (ranking.isCohere) {
    const billed = reportedUsage(served, () => ({ search_units: searchUnitsOf(ranking) }));
    return {
      id,
      results,
      meta: { api_version: { version: '2' }, ...(billed !== null && { billed_units: billed }) },
    };
  }
  const usage = reportedUsage(served, usageOf);
  return { id, model: prompt.model, results, ...(usage === null ? {} : { usage }) };
}

function usageOf({ inputTokens }: Generation): object {
  return { total_tokens: inputTokens, prompt_tokens: inputTokens };
}

function rankingOf({ ranking }: Prompt): Ranking {
  if (!ranking) throw new Error('the prompt asks for no ranks');
  return ranking;
}

/** Returns the share of the words of the query that are in a document. The same texts always get the same score. */
function scoreOf(query: string, document: string): number {
  const asked = wordsOf(query);
  const found = wordsOf(document);
  if (asked.size === 0) return 0;
  return [...asked].filter((word) => found.has(word)).length / asked.size;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
}

const documentsPerUnit = 100;
const chunkTokens = 500;
const queryTokensMax = 250;

/** Returns what Cohere bills: a unit for each hundred documents, of which a long one is split into chunks. */
export function searchUnitsOf({ query, documents }: Ranking): number {
  const room = chunkTokens - Math.min(tokensOf(query), queryTokensMax);
  const chunks = documents.map((text) => Math.max(1, Math.ceil(tokensOf(text) / room)));
  return Math.ceil(chunks.reduce((sum, count) => sum + count, 0) / documentsPerUnit);
}
