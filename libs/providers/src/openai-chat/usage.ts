import type { TokenUsage } from '@sluice/inference';
import { asObject, type JsonObject } from '../json-reader.ts';
import { checkedUsage } from '../usage-counts.ts';

/** `usage` of a chat completion; undefined when it is absent or cannot be true. */
export function chatUsage(usage: JsonObject | undefined): TokenUsage | undefined {
  if (!usage) return undefined;
  const input = asObject(usage['prompt_tokens_details']);
  const output = asObject(usage['completion_tokens_details']);
  return checkedUsage({
    inputTokens: usage['prompt_tokens'],
    cachedTokens: input?.['cached_tokens'],
    cacheWriteTokens: input?.['cache_write_tokens'],
    audioInputTokens: input?.['audio_tokens'],
    outputTokens: usage['completion_tokens'],
    reasoningTokens: output?.['reasoning_tokens'],
    audioOutputTokens: output?.['audio_tokens'],
  });
}
