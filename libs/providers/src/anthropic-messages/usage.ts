import type { TokenUsage } from '@sluice/inference';
import { asObject, type JsonObject } from '../json-reader.ts';
import { checkedUsage, summed, without } from '../usage-counts.ts';

/**
 * Reads `usage` of a message. Returns undefined if it is absent or implausible. The API counts cache reads and writes
 * separately. The result adds them to the input.
 */
export function messagesUsage(usage: JsonObject | undefined): TokenUsage | undefined {
  if (!usage) return undefined;
  const read = usage['cache_read_input_tokens'] ?? 0;
  const written = usage['cache_creation_input_tokens'] ?? 0;
  const writtenHour = asObject(usage['cache_creation'])?.['ephemeral_1h_input_tokens'] ?? 0;
  return checkedUsage({
    inputTokens: summed(usage['input_tokens'], read, written),
    cachedTokens: read,
    // The sum grows during a stream. Its split is sent at the start only.
    cacheWriteTokens: without(written, writtenHour),
    cacheWriteHourTokens: writtenHour,
    outputTokens: usage['output_tokens'],
    reasoningTokens: asObject(usage['output_tokens_details'])?.['thinking_tokens'],
    webSearches: asObject(usage['server_tool_use'])?.['web_search_requests'],
  });
}
