import {
  type ContentPart,
  type InferenceRequest,
  type InputItem,
  type Rank,
  type StreamPart,
  textOf,
  type TokenUsage,
} from '@sluice/inference';
import type { Endpoint } from './endpoint.ts';
import { asArray, asIndex, asObject, asWord, type JsonObject } from './json-reader.ts';
import { mediaUrl } from './media-url.ts';
import { openAiErrorWord } from './openai-error.ts';
import type { RankingWire } from './translation.ts';
import { malformedPart } from './upstream-error.ts';
import { checkedUsage, unreadUsage } from './usage-counts.ts';

/**
 * The rerank call of Cohere, Jina, vLLM and most other servers. They differ in where the answer has the usage: tokens
 * in `usage`, or search units in `meta.billed_units`.
 */
export const usualRanking: RankingWire = {
  path: () => '/rerank',
  body: rankingBody,
  whole: rankingParts,
};

function rankingBody({ upstreamModel }: Endpoint, { items, ranking }: InferenceRequest): unknown {
  const [query, ...documents] = items;
  return {
    model: upstreamModel,
    query: query ? textOf(contentOf(query)) : '',
    documents: documents.map(wireDocument),
    top_n: ranking?.topN,
  };
}

function contentOf(item: InputItem): readonly ContentPart[] {
  return item.type === 'message' ? item.content : [];
}

/** Most servers take texts alone, so that a document without a picture is one. */
function wireDocument(item: InputItem): unknown {
  const content = contentOf(item);
  const picture = content.find((part) => part.type === 'image');
  const text = textOf(content);
  if (!picture) return text;
  return { text: text === '' ? undefined : text, image: mediaUrl(picture.source) };
}

function rankingParts(body: unknown, { items, ranking }: InferenceRequest): readonly StreamPart[] {
  const object = asObject(body);
  if (!object) return [malformedPart()];
  const error = asObject(object['error']);
  if (error) return [{ type: 'error', ...openAiErrorWord(error), usage: undefined }];
  const documents = items.length - 1;
  const reported = reportedUsage(object);
  const usage = reported && usageOf(reported);
  const head = [
    { type: 'response-start', upstreamId: asWord(object['id']) } as const,
    ...unreadUsage(reported, usage),
  ] as const;
  const ranks = ranksOf(object['results'], documents);
  if (!ranks) return [...head, malformedPart(usage)];
  return [
    ...head,
    { type: 'ranks', ranks: ranks.slice(0, ranking?.topN) },
    { type: 'finish', reason: 'stop', nativeReason: undefined, usage },
  ];
}

/** Returns the ranks, the most relevant first. undefined: one is malformed, or names a document that was not sent. */
function ranksOf(results: unknown, documents: number): readonly Rank[] | undefined {
  const ranks = new Map<number, Rank>();
  const listed = asArray(results);
  for (const each of listed) {
    const result = asObject(each);
    const index = asIndex(result?.['index']);
    const score = result?.['relevance_score'];
    if (index === undefined || index >= documents) return undefined;
    if (typeof score !== 'number' || !Number.isFinite(score)) return undefined;
    ranks.set(index, { index, score });
  }
  if (ranks.size === 0 || ranks.size !== listed.length) return undefined;
  return [...ranks.values()].toSorted((a, b) => b.score - a.score);
}

/** The counts of an answer, as the provider sent them. */
interface ReportedUsage {
  readonly tokens: unknown;
  readonly units: unknown;
}

function reportedUsage({ usage, meta }: JsonObject): ReportedUsage | undefined {
  const counts = asObject(usage);
  const told = asObject(meta);
  const billed = asObject(told?.['billed_units']);
  const tokens =
    counts?.['total_tokens'] ??
    counts?.['prompt_tokens'] ??
    asObject(told?.['tokens'])?.['input_tokens'] ??
    billed?.['input_tokens'];
  const units = billed?.['search_units'] ?? counts?.['search_units'];
  return tokens === undefined && units === undefined ? undefined : { tokens, units };
}

/** Returns the usage; undefined: it is implausible. A provider that bills by the search unit may report no tokens. */
function usageOf({ tokens, units }: ReportedUsage): TokenUsage | undefined {
  const usage = checkedUsage({
    inputTokens: tokens ?? 0,
    cachedTokens: undefined,
    outputTokens: 0,
    reasoningTokens: 0,
  });
  if (units === undefined) return usage;
  const searchUnits = asIndex(units);
  return usage && searchUnits !== undefined ? { ...usage, searchUnits } : undefined;
}
