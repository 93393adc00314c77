import type { Priced } from '../priced-models.ts';

/** Percentiles of cost: from the first up to, and without, the second. */
export interface CostBand {
  readonly from: number;
  readonly to: number;
}

const tiers = {
  low: { from: 0, to: 20 },
  medium: { from: 20, to: 40 },
  high: { from: 40, to: 60 },
  xhigh: { from: 60, to: 80 },
  max: { from: 80, to: 100 },
} as const;

const tradeoffDefault = 9;
const ceilingMax = 90;
const ceilingStep = 8;

/** Returns the band of the settings. The older setting is a ceiling: 10 is the 10th percentile, and 0 the 90th. */
export function bandOf(
  tier: keyof typeof tiers | null | undefined,
  tradeoff: number | null | undefined,
): CostBand {
  if (tier) return tiers[tier];
  return { from: 0, to: ceilingMax - ceilingStep * (tradeoff ?? tradeoffDefault) };
}

const percent = 100;

/**
 * Returns the models of a band, the cheapest first. Each of n models covers an nth of the percentiles, and is in a band
 * that it overlaps, so that no band is empty.
 */
export function inBand(models: readonly Priced[], { from, to }: CostBand): readonly Priced[] {
  const sorted = models.toSorted(
    (one, other) => one.price - other.price || (one.id < other.id ? -1 : 1),
  );
  const share = percent / sorted.length;
  return sorted.filter((_, index) => index * share < to && (index + 1) * share > from);
}
