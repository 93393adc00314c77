import { readFact, upstreamCostOf, type UsageCorrection } from '@sluice/usage-facts';
import { expiredFact, expiryOf } from '../domain/usage/expiry.ts';
import type { StoredCorrection } from '../queries/read-corrections.ts';
import type { StoredExpiry } from '../queries/read-expiries.ts';

/** Returns a correction: the fact with its corrected values, and the values before. */
export function correctedUsage(correction: StoredCorrection): UsageCorrection {
  const { fact: estimate, correctedAt, ...values } = correction;
  const { costNanoUsd, absorbedNanoUsd } = values;
  const before = readFact(JSON.parse(estimate));
  const fact = {
    ...before,
    upstreamId: values.upstreamId,
    inputTokens: values.inputTokens,
    cachedTokens: values.cachedTokens,
    outputTokens: values.outputTokens,
    reasoningTokens: values.reasoningTokens,
    costNanoUsd,
    upstreamCostNanoUsd: costNanoUsd + absorbedNanoUsd,
    dataDiscountNanoUsd: values.dataDiscountNanoUsd ?? undefined,
    cacheDiscountNanoUsd: values.cacheDiscountNanoUsd ?? undefined,
    estimated: values.source === 'write_off',
    estimateReason: '',
    suspendedNanoUsd: 0n,
    operatorSuspendedNanoUsd: 0n,
    claimedNanoUsd: 0n,
    prices: {},
  };
  return {
    correctionId: values.correctionId,
    source: values.source,
    fact,
    estimatedInputTokens: values.estimatedInputTokens,
    estimatedCachedTokens: values.estimatedCachedTokens,
    estimatedOutputTokens: values.estimatedOutputTokens,
    estimatedReasoningTokens: values.estimatedReasoningTokens,
    estimatedCostNanoUsd: values.estimatedCostNanoUsd,
    estimatedUpstreamCostNanoUsd: values.estimatedUpstreamCostNanoUsd,
    absorbedNanoUsd,
    estimatedDataDiscountNanoUsd: before.dataDiscountNanoUsd,
    estimatedCacheDiscountNanoUsd: before.cacheDiscountNanoUsd,
    correctedAt: correctedAt.toISOString(),
  };
}

/** Returns an expiry: the counts and the charge stay, and the operator has what was in suspense. */
export function expiredUsage({ fact: estimate, expiredAt }: StoredExpiry): UsageCorrection {
  const expiry = expiryOf(readFact(JSON.parse(estimate)));
  const { fact } = expiry;
  const upstreamCostNanoUsd = upstreamCostOf(fact);
  return {
    correctionId: expiry.expiryId,
    source: 'expiry',
    fact: expiredFact(expiry),
    estimatedInputTokens: fact.inputTokens,
    estimatedCachedTokens: fact.cachedTokens,
    estimatedOutputTokens: fact.outputTokens,
    estimatedReasoningTokens: fact.reasoningTokens,
    estimatedCostNanoUsd: fact.costNanoUsd,
    estimatedUpstreamCostNanoUsd: upstreamCostNanoUsd,
    absorbedNanoUsd: upstreamCostNanoUsd - fact.costNanoUsd,
    estimatedDataDiscountNanoUsd: fact.dataDiscountNanoUsd,
    estimatedCacheDiscountNanoUsd: fact.cacheDiscountNanoUsd,
    correctedAt: expiredAt.toISOString(),
  };
}
