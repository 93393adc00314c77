import type { PolicyCalls } from '../clients/calls.ts';

export interface InMemoryPolicies {
  readonly calls: PolicyCalls;
  /** A guardrail that lets requests in there only. */
  demandRegions(...regions: readonly string[]): void;
}

/** The guardrail service's one question that a key has, for every key alike. */
export function inMemoryPolicies(): InMemoryPolicies {
  const demanded: (readonly string[])[] = [];
  return {
    calls: {
      getEffectivePolicy: async () => ({
        allowedPhrases: [],
        guardrails: demanded.map((values, index) => ({
          guardrailId: `guardrail-${index}`,
          name: '',
          scope: 'key',
          assigneeId: '',
          limitNanoUsd: undefined,
          windowKind: '',
          includeByok: false,
          rules: { ...noRules, allowedDataRegions: { values: [...values] } },
        })),
      }),
    },
    demandRegions: (...regions) => void demanded.push(regions),
  };
}

const noRules = {
  allowedProviders: undefined,
  ignoredProviders: undefined,
  allowedModels: undefined,
  ignoredModels: undefined,
  zeroRetention: undefined,
  enablePaidModelTraining: undefined,
  enableFreeModelTraining: undefined,
  enableFreeModelPublication: undefined,
  allowedDataRegions: undefined,
  builtinFilters: undefined,
  customFilters: undefined,
};
