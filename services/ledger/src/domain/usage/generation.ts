import type { UsageFact } from '@sluice/usage-facts';

/** The part of a counted fact that a generation sums up or takes from its first one. */
export type GenerationPart = Pick<
  UsageFact,
  | 'admittedAt'
  | 'latencyMs'
  | 'inputTokens'
  | 'cachedTokens'
  | 'outputTokens'
  | 'reasoningTokens'
  | 'costNanoUsd'
  | 'feeNanoUsd'
  | 'estimated'
  | 'outcome'
>;

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
