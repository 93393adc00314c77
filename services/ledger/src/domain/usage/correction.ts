import { amountNanoUsdMax } from '@sluice/amounts';
import {
  cacheDiscountNanoUsd,
  discountNanoUsd,
  noByokTerms,
  undiscountedNanoUsd,
  upstreamCostOf,
  type UsageFact,
} from '@sluice/usage-facts';

/** The source of a correction. */
export type CorrectionSource = 'provider' | 'receipt' | 'write_off';

/** The counts that were served, and their price. An empty upstreamId: nothing is known beyond the estimate. */
export type Truth = Pick<
  UsageFact,
  'upstreamId' | 'inputTokens' | 'cachedTokens' | 'outputTokens' | 'reasoningTokens' | 'costNanoUsd'
> & {
  /** Their price without a cache of the provider. Undefined: none was used, or it is not known. */
  readonly uncachedNanoUsd?: bigint | undefined;
};

/** A fact in the place of an estimate: counted once per correctionId, and one per usageId. */
export interface Correction extends Truth {
  readonly correctionId: string;
  readonly source: CorrectionSource;
  /** The estimate as it was counted. */
  readonly fact: UsageFact;
  /** The cost beyond the charge: what was not held, and the discount. The operator pays it. */
  readonly absorbedNanoUsd: bigint;
  /** The discount for contents in the place of that of the estimate. Undefined: the request has none. */
  readonly dataDiscountNanoUsd: bigint | undefined;
  /** The amount that a cache of the provider takes off the cost. Undefined: there is no difference. */
  readonly cacheDiscountNanoUsd: bigint | undefined;
}

/**
 * The truth in the place of an estimate. No limit has room for more than was charged and in suspense, so
 * that is the most that is charged, before the discount of the request.
 */
export function correctionOf(fact: UsageFact, truth: Truth, source: CorrectionSource): Correction {
  const chargeable = undiscountedNanoUsd(fact) + fact.suspendedNanoUsd;
  const charged = truth.costNanoUsd < chargeable ? truth.costNanoUsd : chargeable;
  const { dataDiscountBasisPoints: rate } = fact;
  const dataDiscountNanoUsd = rate === undefined ? undefined : discountNanoUsd(charged, rate);
  const costNanoUsd = charged - (dataDiscountNanoUsd ?? 0n);
  return {
    ...truth,
    upstreamId: truth.upstreamId === '' ? fact.upstreamId : truth.upstreamId,
    correctionId: `${fact.usageId}/${source}`,
    source,
    fact,
    costNanoUsd,
    absorbedNanoUsd: truth.costNanoUsd - costNanoUsd,
    dataDiscountNanoUsd,
    cacheDiscountNanoUsd:
      source === 'write_off'
        ? fact.cacheDiscountNanoUsd
        : cacheDiscountNanoUsd(costNanoUsd, {
            uncachedNanoUsd: truth.uncachedNanoUsd,
            chargeableNanoUsd: chargeable,
            dataDiscountBasisPoints: rate,
          }),
  };
}

/** Closes an estimate that no source can correct: the charge stays, and the suspense is free. */
export function writeOff(fact: UsageFact): Correction {
  return correctionOf(fact, { ...fact, costNanoUsd: upstreamCostOf(fact) }, 'write_off');
}

/** The difference that a correction makes to what counts: a fact whose sums may be negative. A fee stays. */
export function differenceOf({ fact, ...truth }: Correction): UsageFact {
  return {
    ...fact,
    ...noByokTerms,
    inputTokens: truth.inputTokens - fact.inputTokens,
    cachedTokens: truth.cachedTokens - fact.cachedTokens,
    outputTokens: truth.outputTokens - fact.outputTokens,
    reasoningTokens: truth.reasoningTokens - fact.reasoningTokens,
    costNanoUsd: truth.costNanoUsd - fact.costNanoUsd,
  };
}

const tokensMax = 9_007_199_254_740_992n;
const upstreamIdPattern = /^[\x21-\x7e]{0,256}$/;

/** Why a truth cannot be one; undefined when it can. */
export function truthProblem(
  truth: Omit<Truth, 'costNanoUsd'> & {
    readonly costNanoUsd?: bigint | undefined;
    readonly webSearches?: bigint | undefined;
  },
): string | undefined {
  const { inputTokens, cachedTokens, outputTokens, reasoningTokens, upstreamId } = truth;
  const { costNanoUsd = 0n, webSearches = 0n } = truth;
  if (costNanoUsd < 0n || costNanoUsd > amountNanoUsdMax) return 'the cost is negative or absurd';
  const counts = [inputTokens, cachedTokens, outputTokens, reasoningTokens, webSearches];
  if (counts.some((count) => count < 0n || count > tokensMax))
    return 'a count is negative or absurd';
  if (cachedTokens > inputTokens) return 'more cached than input tokens';
  if (reasoningTokens > outputTokens) return 'more reasoning than output tokens';
  if (!upstreamIdPattern.test(upstreamId)) return 'upstream_id is malformed';
  return undefined;
}
