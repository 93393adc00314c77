import type { TokenUsage } from '@sluice/inference';
import { asObject, type JsonObject } from '../json-reader.ts';
import { checkedUsage, summed } from '../usage-counts.ts';

/** Reads `usage` of a chat completion. Returns undefined if it is absent or implausible. */
export function chatUsage(usage: JsonObject | undefined): TokenUsage | undefined {
  if (!usage) return undefined;
  const input = asObject(usage['prompt_tokens_details']);
  const output = asObject(usage['completion_tokens_details']);
  const reasoningTokens = output?.['reasoning_tokens'];
  return checkedUsage({
    inputTokens: usage['prompt_tokens'],
    cachedTokens: cachedTokens(usage, input),
    cacheWriteTokens: input?.['cache_write_tokens'],
    audioInputTokens: input?.['audio_tokens'],
    outputTokens: outputTokens(usage, reasoningTokens),
    reasoningTokens,
    audioOutputTokens: output?.['audio_tokens'],
  });
}

/** Returns the cached tokens. DeepSeek uses another field name. Moonshot and Together put it beside the details. */
function cachedTokens(usage: JsonObject, details: JsonObject | undefined): unknown {
  return details?.['cached_tokens'] ?? usage['prompt_cache_hit_tokens'] ?? usage['cached_tokens'];
}

/** Returns the output tokens with thoughts. xAI counts thoughts separately, which its total shows. */
function outputTokens(usage: JsonObject, reasoningTokens: unknown): unknown {
  const { prompt_tokens: input, completion_tokens: completion, total_tokens: total } = usage;
  const withThoughts = summed(completion, reasoningTokens ?? 0);
  const areBeside = total !== undefined && summed(input, withThoughts) === total;
  return areBeside ? withThoughts : completion;
}
