import { UsageRecorded } from '@sluice/protos/sluice/usage/v1/usage_events';
import type { UsageFact } from '../domain/usage/usage-fact.ts';

/** A fact as it is sent. */
export function usageMessage(fact: UsageFact): object {
  return UsageRecorded.toJSON({
    ...fact,
    latencyMs: fact.latencyMs,
    upstreamCostNanoUsd: fact.upstreamCostNanoUsd,
    leaseNumbers: [...fact.leaseNumbers],
    feeLeaseNumbers: [...fact.feeLeaseNumbers],
    freeRequestLeaseNumbers: [...fact.freeRequestLeaseNumbers],
    guardrailScopes: [...fact.guardrailScopes],
    attempts: [...fact.attempts],
    appCategories: [...fact.appCategories],
    prices: { ...fact.prices },
    specialTokens: { ...fact.specialTokens },
    providerUsage: Buffer.from(fact.providerUsage),
  }) as object;
}
