import type { ReasoningEffort, ReasoningOptions } from '@sluice/inference';

/** The share of the output limit that each effort may use for thoughts, as the contract defines it. */
export const effortShares: Readonly<Record<ReasoningEffort, number>> = {
  max: 0.95,
  xhigh: 0.95,
  high: 0.8,
  medium: 0.5,
  low: 0.2,
  minimal: 0.1,
  none: 0,
};

/** Efforts in ascending order. */
const scale: readonly ReasoningEffort[] = [
  'none',
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
  'max',
];
/** Maps a thinking budget to an effort when the request has no output limit. */
const budgets: readonly (readonly [tokensMax: number, effort: ReasoningEffort])[] = [
  [1_024, 'minimal'],
  [4_096, 'low'],
  [16_384, 'medium'],
  [32_768, 'high'],
];

/**
 * Returns the effort to send to a model that takes efforts: the nearest one that the model knows.
 * Returns undefined if the request names no effort.
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

/** Returns the effort whose share of the output is nearest to a budget. */
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
