import {
  composeDemands,
  type Demands,
  type EffectiveDemands,
  filterActionOf,
  readFailMode,
  readScanOutput,
} from '@sluice/policy';
import type { Guardrail, Policy } from './policy.ts';

const known = new WeakMap<Policy, EffectiveDemands>();

/** Returns the joint demands of a policy's guardrails, computed once per policy. */
export function demandsOf(policy: Policy): EffectiveDemands {
  let demands = known.get(policy);
  if (!demands) {
    demands = composeDemands(policy.guardrails.map(demandsOfGuardrail));
    known.set(policy, demands);
  }
  return demands;
}

const scopes = ['user_only', 'all_messages'] as const;

function demandsOfGuardrail({ rules }: Guardrail): Demands {
  const zero = rules?.zeroRetention;
  return {
    allowedProviders: rules?.allowedProviders?.values ?? null,
    ignoredProviders: rules?.ignoredProviders?.values ?? null,
    allowedModels: rules?.allowedModels?.values ?? null,
    ignoredModels: rules?.ignoredModels?.values ?? null,
    zeroRetention: {
      anthropic: zero?.anthropic ?? null,
      openai: zero?.openai ?? null,
      google: zero?.google ?? null,
      xai: zero?.xai ?? null,
      other: zero?.other ?? null,
    },
    paidTraining: rules?.enablePaidModelTraining ?? null,
    freeTraining: rules?.enableFreeModelTraining ?? null,
    freePublication: rules?.enableFreeModelPublication ?? null,
    dataRegions: rules?.allowedDataRegions?.values ?? null,
    builtinFilters: (rules?.builtinFilters?.filters ?? []).map(({ slug, action, scanScope }) => ({
      slug,
      action: filterActionOf(action),
      scanScope: scopes.find((scope) => scope === scanScope) ?? null,
    })),
    customFilters: (rules?.customFilters?.filters ?? []).map(({ pattern, action, label }) => ({
      pattern,
      action: filterActionOf(action),
      label: label ?? null,
    })),
    scanOutput: readScanOutput(rules?.scanOutput),
    failMode: readFailMode(rules?.failMode),
  };
}
