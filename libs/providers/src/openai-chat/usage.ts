import type { TokenUsage } from '@sluice/inference';
import { asObject, type JsonObject } from '../json-reader.ts';
import { checkedUsage, summed } from '../usage-counts.ts';

/** `usage` of a chat completion; undefined when it is absent or cannot be true. */
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

/** DeepSeek has a name of its own for it; Moonshot and Together have it beside the details. */
function cachedTokens(usage: JsonObject, details: JsonObject | undefined): unknown {
  return details?.['cached_tokens'] ?? usage['prompt_cache_hit_tokens'] ?? usage['cached_tokens'];
}

/** With most servers thoughts are among the completion's tokens; xAI counts them beside: its total says so. */
function outputTokens(usage: JsonObject, reasoningTokens: unknown): unknown {
  const { prompt_tokens: input, completion_tokens: completion, total_tokens: total } = usage;
  const withThoughts = summed(completion, reasoningTokens ?? 0);
  const areBeside = total !== undefined && summed(input, withThoughts) === total;
  return areBeside ? withThoughts : completion;
}
