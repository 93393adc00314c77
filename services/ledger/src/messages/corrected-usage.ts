import { UsageCorrected } from '@sluice/protos/sluice/usage/v1/usage_events';
import { readFact, writeFact } from '@sluice/usage-facts';
import type { StoredCorrection } from '../queries/read-unpublished-corrections.ts';

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
