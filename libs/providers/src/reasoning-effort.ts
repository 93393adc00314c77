import type { ReasoningEffort, ReasoningOptions } from '@sluice/inference';

/** The share of the output that each effort may think, by the contract. */
export const effortShares: Readonly<Record<ReasoningEffort, number>> = {
  max: 0.95,
  xhigh: 0.95,
  high: 0.8,
  medium: 0.5,
  low: 0.2,
  minimal: 0.1,
  none: 0,
};

/** From the least to the most. */
const scale: readonly ReasoningEffort[] = [
  'none',
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
  'max',
];
/** Without a limit of the output, a budget up to so many tokens is such an effort. */
const budgets: readonly (readonly [tokensMax: number, effort: ReasoningEffort])[] = [
  [1_024, 'minimal'],
  [4_096, 'low'],
  [16_384, 'medium'],
  [32_768, 'high'],
];

/**
 * The effort that a model which takes efforts is told: of those that it knows the nearest to what is wanted.
 * undefined: nothing is wanted of it.
 */
export function effortOf(
  reasoning: ReasoningOptions | undefined,
  {
    outputTokensMax,
    known = scale,
  }: {
    readonly outputTokensMax: number | undefined;
    readonly known?: readonly ReasoningEffort[] | undefined;
  },
): ReasoningEffort | undefined {
  const wanted = reasoning && wantedEffort(reasoning, outputTokensMax);
  return wanted === undefined ? undefined : nearest(wanted, known);
}

function wantedEffort(
  { effort, tokensMax, isEnabled }: ReasoningOptions,
  outputTokensMax: number | undefined,
): ReasoningEffort | undefined {
  if (isEnabled === false || tokensMax === 0) return 'none';
  if (effort !== undefined) return effort;
  if (tokensMax !== undefined) return effortOfBudget(tokensMax, outputTokensMax);
  return isEnabled ? 'medium' : undefined;
}

/** The effort whose share of the output is nearest to a budget. */
export function effortOfBudget(
  tokens: number,
  outputTokensMax: number | undefined,
): ReasoningEffort {
  if (outputTokensMax === undefined)
    return budgets.find(([tokensMax]) => tokens <= tokensMax)?.[1] ?? 'xhigh';
  const distance = (effort: ReasoningEffort): number =>
    Math.abs(effortShares[effort] - tokens / outputTokensMax);
  const efforts = ['minimal', 'low', 'medium', 'high', 'xhigh'] as const;
  return efforts.reduce((best, each) => (distance(each) < distance(best) ? each : best));
}

function nearest(wanted: ReasoningEffort, known: readonly ReasoningEffort[]): ReasoningEffort {
  const distance = (effort: ReasoningEffort): number =>
    Math.abs(scale.indexOf(effort) - scale.indexOf(wanted));
  return known.reduce(
    (best, each) => (distance(each) < distance(best) ? each : best),
    known[0] ?? wanted,
  );
}
