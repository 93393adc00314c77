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
  const writtenHour = asObject(usage['cache_creation'])?.['ephemeral_1h_input_tokens'] ?? 0;
  return checkedUsage({
    inputTokens: summed(usage['input_tokens'], read, written),
    cachedTokens: read,
    cacheWriteTokens: difference(written, writtenHour),
    cacheWriteHourTokens: writtenHour,
    outputTokens: usage['output_tokens'],
    reasoningTokens: asObject(usage['output_tokens_details'])?.['thinking_tokens'],
  });
}

/** The sum of all that was written goes on growing in a stream; how it is made up is told at its beginning. */
function difference(all: unknown, part: unknown): unknown {
  return typeof all === 'number' && typeof part === 'number' ? all - part : all;
}
