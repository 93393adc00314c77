import type { TokenUsage } from '@sluice/inference';
import { asObject, type JsonObject } from '../json-reader.ts';
import { checkedUsage } from '../usage-counts.ts';

/** `usage` of a chat completion; undefined when it is absent or cannot be true. */
export function chatUsage(usage: JsonObject | undefined): TokenUsage | undefined {
  if (!usage) return undefined;
  return checkedUsage({
    inputTokens: usage['prompt_tokens'],
    cachedTokens: asObject(usage['prompt_tokens_details'])?.['cached_tokens'],
    outputTokens: usage['completion_tokens'],
    reasoningTokens: asObject(usage['completion_tokens_details'])?.['reasoning_tokens'],
  });
}
