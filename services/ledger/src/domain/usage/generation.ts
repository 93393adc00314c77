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
  readonly outcome: string;
}

/**
 * One generation out of its facts, oldest first: the last one says how it ended, the sums are of all of
 * them but of attempts that failed before another one served. undefined: there are none.
 */
export function generationOf<Part extends GenerationPart>(all: readonly Part[]): Part | undefined {
  const served = all.filter(({ outcome }) => outcome !== 'failed');
  const facts = served.length > 0 ? served : all.slice(-1);
  const last = facts.at(-1);
  const [first] = all;
  if (!last || !first) return undefined;
  type Sum = Exclude<keyof GenerationPart, 'admittedAt' | 'latencyMs' | 'estimated' | 'outcome'>;
  const sum = (name: Sum) => facts.reduce((total, fact) => total + fact[name], 0n);
  return {
    ...last,
    admittedAt: first.admittedAt,
    latencyMs: facts[0]?.latencyMs,
    inputTokens: sum('inputTokens'),
    cachedTokens: sum('cachedTokens'),
    outputTokens: sum('outputTokens'),
    reasoningTokens: sum('reasoningTokens'),
    costNanoUsd: sum('costNanoUsd'),
    feeNanoUsd: sum('feeNanoUsd'),
    estimated: facts.some(({ estimated }) => estimated),
  };
}
