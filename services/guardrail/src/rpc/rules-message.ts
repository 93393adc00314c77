import type { Rules, Slugs } from '@sluice/protos/sluice/guardrail/v1/policy';
import type { Policy } from '../domain/guardrail/events.ts';

/** Returns the demands of a policy besides its budget. */
export function rulesMessage(policy: Policy): Rules {
  return {
    allowedProviders: slugs(policy.allowedProviders),
    ignoredProviders: slugs(policy.ignoredProviders),
    allowedModels: slugs(policy.allowedModels),
    ignoredModels: slugs(policy.ignoredModels),
    zeroRetention: {
      anthropic: policy.zeroRetentionAnthropic ?? undefined,
      openai: policy.zeroRetentionOpenai ?? undefined,
      google: policy.zeroRetentionGoogle ?? undefined,
      xai: policy.zeroRetentionXai ?? undefined,
      other: policy.zeroRetentionOther ?? undefined,
    },
    enablePaidModelTraining: policy.paidTraining ?? undefined,
    enableFreeModelTraining: policy.freeTraining ?? undefined,
    enableFreeModelPublication: policy.freePublication ?? undefined,
    allowedDataRegions: slugs(policy.dataRegions),
    builtinFilters: policy.builtinFilters
      ? {
          filters: policy.builtinFilters.map(({ slug, action, scanScope }) => ({
            slug,
            action,
            scanScope: scanScope ?? undefined,
          })),
        }
      : undefined,
    customFilters: policy.customFilters
      ? {
          filters: policy.customFilters.map(({ pattern, action, label }) => ({
            pattern,
            action,
            label: label ?? undefined,
          })),
        }
      : undefined,
    scanOutput: policy.scanOutput ?? undefined,
    failMode: policy.failMode ?? undefined,
  };
}

function slugs(values: readonly string[] | null): Slugs | undefined {
  return values === null ? undefined : { values: [...values] };
}
