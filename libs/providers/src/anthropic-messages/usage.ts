import type { TokenUsage } from '@sluice/inference';
import { asObject, type JsonObject } from '../json-reader.ts';
import { checkedUsage, summed } from '../usage-counts.ts';

/**
 * `usage` of a message; undefined when it is absent or cannot be true. There, what was read from and
 * written to the cache is beside the input tokens; here it is among them.
 */
export function messagesUsage(usage: JsonObject | undefined): TokenUsage | undefined {
  if (!usage) return undefined;
  const read = usage['cache_read_input_tokens'] ?? 0;
  const written = usage['cache_creation_input_tokens'] ?? 0;
  const byTime = asObject(usage['cache_creation']);
  const writtenHour = byTime?.['ephemeral_1h_input_tokens'] ?? 0;
  return checkedUsage({
    inputTokens: summed(usage['input_tokens'], read, written),
    cachedTokens: read,
    cacheWriteTokens: byTime ? (byTime['ephemeral_5m_input_tokens'] ?? 0) : written,
    cacheWriteHourTokens: writtenHour,
    outputTokens: usage['output_tokens'],
    // Its thoughts are output like all other: how many they were is not told.
    reasoningTokens: 0,
  });
}
