import type { InMemoryPolicies } from './in-memory-policies.ts';

/** The content filters of one guardrail. */
export interface FilterRules {
  /** Actions by slug. */
  readonly builtin?: Readonly<Record<string, string>>;
  readonly custom?: readonly {
    readonly pattern: string;
    readonly action: string;
    readonly label?: string;
  }[];
  readonly scanScope?: string;
  readonly failMode?: string;
  readonly scanOutput?: string;
}

let keys = 0;

/** Assigns a guardrail to a new key, because routing remembers policies, and returns the hash of the key. */
export function assignFilters(
  policies: Pick<InMemoryPolicies, 'assigned'>,
  { builtin = {}, custom = [], scanScope, failMode, scanOutput }: FilterRules,
): string {
  const keyHash = `guarded-${++keys}`;
  policies.assigned.set(`key ${keyHash}`, {
    id: 'guardrail-1',
    rules: {
      allowedProviders: undefined,
      ignoredProviders: undefined,
      allowedModels: undefined,
      ignoredModels: undefined,
      zeroRetention: undefined,
      allowedDataRegions: undefined,
      builtinFilters: {
        filters: Object.entries(builtin).map(([slug, action]) => ({ slug, action, scanScope })),
      },
      customFilters: { filters: [...custom] },
      failMode,
      scanOutput,
    },
  });
  return keyHash;
}
