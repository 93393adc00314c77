/** Token counts of the model's own tokenizer. Whole numbers, none negative. */
export interface TokenUsage {
  /** All input, cached ones included. */
  readonly inputTokens: number;
  readonly cachedTokens: number;
  /** All output, reasoning included. */
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}
