import type { Candidate } from '../candidate.ts';

/** A model that can serve a request, with the figures that decide. */
export interface Ranked {
  readonly id: string;
  /** From 0 to 1. */
  readonly score: number;
  /** USD of a million tokens at its cheapest endpoint. */
  readonly price: number;
  /** Tokens per second at its fastest endpoint; 0: not known. */
  readonly speed: number;
  readonly candidates: readonly Candidate[];
}

export interface Ranking {
  /** The first choice first. */
  readonly models: readonly Ranked[];
  /** The rule that put the first one first. */
  readonly reason: string;
  /** For the report. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Bounds the frontier in the report. */
const frontierMax = 20;

type Tier = 'high' | 'medium' | 'low';

const highMin = 0.66;
const mediumMin = 0.33;
/** The tier itself, and then its neighbors. A better model is nearer than a worse one. */
const nearest: Readonly<Record<Tier, readonly Tier[]>> = {
  high: ['high', 'medium', 'low'],
  medium: ['medium', 'high', 'low'],
  low: ['low', 'medium', 'high'],
};

export function tierOf(score: number): Tier {
  if (score >= highMin) return 'high';
  return score >= mediumMin ? 'medium' : 'low';
}

interface TierAsked {
  /** Absent: the high tier. */
  readonly scoreMin: number | null | undefined;
  readonly isFastest: boolean;
}

/** Ranks the models of the asked tier, or of the nearest one that has any: by price, or by speed. */
export function byTier(models: readonly Ranked[], { scoreMin, isFastest }: TierAsked): Ranking {
  const asked = tierOf(scoreMin ?? 1);
  const tiers = Map.groupBy(models, ({ score }) => tierOf(score));
  const tier = nearest[asked].find((each) => tiers.has(each)) ?? asked;
  const ranked = (tiers.get(tier) ?? []).toSorted(
    (one, other) => (isFastest ? other.speed - one.speed : 0) || cheaper(one, other),
  );
  const instead = tier === asked ? '' : ` (no model of the tier ${asked} can serve)`;
  const word = isFastest ? 'fastest' : 'cheapest';
  return {
    models: ranked,
    reason: `the ${word} of ${String(ranked.length)} in the tier ${tier}${instead}`,
    facts: { tier, asked_tier: asked, ranked_by: isFastest ? 'throughput' : 'price' },
  };
}

/**
 * Ranks the models on the frontier of price and score from the best score down, and then the others. A model is on the
 * frontier if no other one has at least its score for at most its price.
 */
export function byFrontier(models: readonly Ranked[]): Ranking {
  const frontier = new Set<Ranked>();
  let best: Ranked | undefined;
  for (const model of models.toSorted(cheaper)) {
    const isEqual = best?.score === model.score && best.price === model.price;
    if (best && model.score <= best.score && !isEqual) continue;
    best = model;
    frontier.add(model);
  }
  const ranked = models.toSorted(
    (one, other) =>
      Number(frontier.has(other)) - Number(frontier.has(one)) ||
      other.score - one.score ||
      cheaper(one, other),
  );
  return {
    models: ranked,
    reason: `the best score of ${String(models.length)} at or below max_price`,
    facts: {
      ranked_by: 'score',
      frontier: ranked.slice(0, Math.min(frontier.size, frontierMax)).map(({ id }) => id),
    },
  };
}

/** The cheapest first. Among equals the best score decides, then the name. */
function cheaper(one: Ranked, other: Ranked): number {
  return one.price - other.price || other.score - one.score || (one.id < other.id ? -1 : 1);
}
