import type { TokenUsage } from '@sluice/inference';
import { asObject, type JsonObject } from '../json-reader.ts';
import { checkedUsage } from '../usage-counts.ts';

/** Reads `usage` of a response. Returns undefined if it is absent or implausible. */
export function responsesUsage(usage: JsonObject | undefined): TokenUsage | undefined {
  if (!usage) return undefined;
  const input = asObject(usage['input_tokens_details']);
  return checkedUsage({
    inputTokens: usage['input_tokens'],
    cachedTokens: input?.['cached_tokens'],
    cacheWriteTokens: input?.['cache_write_tokens'],
    outputTokens: usage['output_tokens'],
    reasoningTokens: asObject(usage['output_tokens_details'])?.['reasoning_tokens'],
  });
}
