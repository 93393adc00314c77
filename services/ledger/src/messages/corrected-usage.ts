import { UsageCorrected } from '@sluice/protos/sluice/usage/v1/usage_events';
import { readFact, writeFact } from '@sluice/usage-facts';
import { expiredFact, expiryOf } from '../domain/usage/expiry.ts';
import { upstreamCostOf } from '../domain/usage/usage-fact.ts';
import type { StoredCorrection } from '../queries/read-unpublished-corrections.ts';
import type { StoredExpiry } from '../queries/read-unpublished-expiries.ts';

/** Returns the message of a correction: the fact with its corrected values, and the values before. */
export function correctedUsage(correction: StoredCorrection): object {
  const { fact: estimate, correctedAt, ...values } = correction;
  const { costNanoUsd, absorbedNanoUsd } = values;
  const fact = {
    ...readFact(JSON.parse(estimate)),
    upstreamId: values.upstreamId,
    inputTokens: values.inputTokens,
    cachedTokens: values.cachedTokens,
    outputTokens: values.outputTokens,
    reasoningTokens: values.reasoningTokens,
    costNanoUsd,
    upstreamCostNanoUsd: costNanoUsd + absorbedNanoUsd,
    estimated: values.source === 'write_off',
    estimateReason: '',
    suspendedNanoUsd: 0n,
    operatorSuspendedNanoUsd: 0n,
    claimedNanoUsd: 0n,
    prices: {},
  };
  const message = { ...values, correctedAt: correctedAt.toISOString(), fact: undefined };
  return { ...(UsageCorrected.toJSON(message) as object), fact: writeFact(fact) };
}

/** Returns the message of an expiry: the counts and the charge stay, and the operator has what was in suspense. */
export function expiredUsage({ fact: estimate, expiredAt }: StoredExpiry): object {
  const expiry = expiryOf(readFact(JSON.parse(estimate)));
  const { fact } = expiry;
  const upstreamCostNanoUsd = upstreamCostOf(fact);
  const message = {
    correctionId: expiry.expiryId,
    source: 'expiry',
    estimatedInputTokens: fact.inputTokens,
    estimatedCachedTokens: fact.cachedTokens,
    estimatedOutputTokens: fact.outputTokens,
    estimatedReasoningTokens: fact.reasoningTokens,
    estimatedCostNanoUsd: fact.costNanoUsd,
    estimatedUpstreamCostNanoUsd: upstreamCostNanoUsd,
    absorbedNanoUsd: upstreamCostNanoUsd - fact.costNanoUsd,
    correctedAt: expiredAt.toISOString(),
    fact: undefined,
  };
  return { ...(UsageCorrected.toJSON(message) as object), fact: writeFact(expiredFact(expiry)) };
}
