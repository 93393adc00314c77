/** Token counts of the model's own tokenizer. Whole numbers, none negative. */
export interface TokenUsage extends SpecialCounts {
  /** All input: cached, written to a cache, of images and of audio included. */
  readonly inputTokens: number;
  readonly cachedTokens: number;
  /** All output: reasoning, images and audio included. */
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

/**
 * Counts that may have prices of their own. Absent: 0. No token of the input is in two of these or in cachedTokens. No
 * token of the output is in two of these or in reasoningTokens.
 */
export interface SpecialCounts {
  /** Written to the provider's cache, for its usual time. */
  readonly cacheWriteTokens?: number;
  /** Written to the provider's cache, for an hour. */
  readonly cacheWriteHourTokens?: number;
  readonly imageInputTokens?: number;
  readonly audioInputTokens?: number;
  readonly cachedAudioTokens?: number;
  readonly imageOutputTokens?: number;
  readonly audioOutputTokens?: number;
  /** Pictures of the input, where each has a price, whatever its tokens. */
  readonly images?: number;
  /** Search units of a reranker: documents by the hundred, long ones in chunks. */
  readonly searchUnits?: number;
  /** Searches of the web that the provider made. */
  readonly webSearches?: number;
}

/** Returns the counts of the same tokens if no cache had been read or written. Undefined: none was. */
export function uncachedUsage(usage: TokenUsage): TokenUsage | undefined {
  const { cachedTokens, cacheWriteTokens = 0, cacheWriteHourTokens = 0, ...rest } = usage;
  const { cachedAudioTokens = 0, ...others } = rest;
  if (cachedTokens + cacheWriteTokens + cacheWriteHourTokens + cachedAudioTokens === 0)
    return undefined;
  const audioInputTokens = (others.audioInputTokens ?? 0) + cachedAudioTokens;
  return { ...others, cachedTokens: 0, ...(audioInputTokens > 0 && { audioInputTokens }) };
}

/** Adds the counts of two model calls. */
export function addTokens(one: TokenUsage, other: TokenUsage): TokenUsage {
  const added: Readonly<Record<string, number>> = { ...other };
  const sum: Record<string, number> = { ...one };
  for (const [name, count] of Object.entries(added)) sum[name] = (sum[name] ?? 0) + count;
  return { ...one, ...sum };
}
