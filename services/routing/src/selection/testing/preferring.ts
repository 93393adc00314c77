import type { Preferences } from '../../request/preferences.ts';

/** A request that asks nothing of routing. */
export function preferring(preferences: Partial<Preferences> = {}): Preferences {
  return {
    models: ['a/b'],
    order: undefined,
    only: undefined,
    ignore: [],
    allowsFallbacks: true,
    requiresParameters: false,
    deniesDataCollection: false,
    demandsZeroRetention: false,
    demandsDistillable: false,
    quantizations: undefined,
    sort: undefined,
    defaultSort: undefined,
    mixesModels: false,
    throughputMin: undefined,
    latencyMax: undefined,
    priceMax: undefined,
    wantsPro: false,
    tier: undefined,
    isDefaultTierOnly: false,
    ...preferences,
  };
}
