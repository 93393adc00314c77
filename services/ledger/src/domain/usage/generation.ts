/** What of a counted fact a generation sums up or takes from its first one. */
export interface GenerationPart {
  readonly admittedAt: string;
  readonly latencyMs?: bigint | undefined;
  readonly inputTokens: bigint;
  readonly cachedTokens: bigint;
  readonly outputTokens: bigint;
  readonly reasoningTokens: bigint;
  readonly costNanoUsd: bigint;
  readonly feeNanoUsd: bigint;
  readonly estimated: boolean;
}

/**
 * One generation out of its facts, oldest first: the last one says how it ended, the sums are of all of
 * them. undefined: there are none.
 */
export function generationOf<Part extends GenerationPart>(
  facts: readonly Part[],
): Part | undefined {
  const last = facts.at(-1);
  const [first] = facts;
  if (!last || !first) return undefined;
  type Sum = Exclude<keyof GenerationPart, 'admittedAt' | 'latencyMs' | 'estimated'>;
  const sum = (name: Sum) => facts.reduce((total, fact) => total + fact[name], 0n);
  return {
    ...last,
    admittedAt: first.admittedAt,
    latencyMs: first.latencyMs,
    inputTokens: sum('inputTokens'),
    cachedTokens: sum('cachedTokens'),
    outputTokens: sum('outputTokens'),
    reasoningTokens: sum('reasoningTokens'),
    costNanoUsd: sum('costNanoUsd'),
    feeNanoUsd: sum('feeNanoUsd'),
    estimated: facts.some(({ estimated }) => estimated),
  };
}
