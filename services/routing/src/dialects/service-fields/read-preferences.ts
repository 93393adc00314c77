import type { ProviderBody, ServiceBody } from '@sluice/client-schemas';
import { parsePriceAttoUsd } from '@sluice/inference';
import type { RequestDefaults } from '../../policy/policy.ts';
import type { Preferences, PriceCaps, Thresholds } from '../../request/preferences.ts';
import { readModels } from './read-models.ts';

const perMillion = 1_000_000n;
const decimalsOfNumbers = 12;
const none: readonly string[] = [];
const noProvider: ProviderBody = {};

/** Tiers and modes, which each dialect names in its own words. */
export type TierPreferences = Pick<Preferences, 'tier' | 'isDefaultTierOnly' | 'wantsPro'>;

/** Reads `model`, `models`, `provider` and `route`: the endpoints that the client wants, in order. */
export function readPreferences(
  body: ServiceBody,
  defaults: RequestDefaults,
  tiers: TierPreferences,
): Preferences {
  const provider = body.provider ?? noProvider;
  const sort = typeof provider.sort === 'string' ? { by: provider.sort } : provider.sort;
  const asked = sort && 'partition' in sort ? sort.partition : undefined;
  const partition = asked ?? (body.route === 'sort' ? 'none' : 'model');
  const quantizations = provider.quantizations ?? [];
  return {
    models: readModels(body, defaults.model),
    order: names(provider.order),
    only: names(provider.only),
    ignore: names(provider.ignore) ?? none,
    allowsFallbacks: provider.allow_fallbacks ?? true,
    requiresParameters: provider.require_parameters ?? false,
    deniesDataCollection: provider.data_collection === 'deny',
    demandsZeroRetention: provider.zdr ?? false,
    demandsDistillable: provider.enforce_distillable_text ?? false,
    quantizations: quantizations.length > 0 ? quantizations : undefined,
    sort: sort?.by ?? undefined,
    defaultSort: defaults.sort,
    mixesModels: partition === 'none',
    throughputMin: thresholds(provider.preferred_min_throughput),
    latencyMax: thresholds(provider.preferred_max_latency),
    priceMax: readPriceMax(provider.max_price),
    ...tiers,
  };
}

/** An empty list has no effect. */
function names(list: ProviderBody['order']): readonly string[] | undefined {
  if (!list || list.length === 0) return undefined;
  return [...new Set(list.map((one) => one.toLowerCase()))];
}

/** A plain number applies to the median. */
function thresholds(given: ProviderBody['preferred_max_latency']): Thresholds | undefined {
  if (given === null || given === undefined) return undefined;
  if (typeof given === 'number') return { p50: given };
  const found: Record<string, number> = {};
  for (const percentile of ['p50', 'p75', 'p90', 'p99'] as const) {
    const value = given[percentile];
    if (typeof value === 'number') found[percentile] = value;
  }
  return found;
}

function readPriceMax(given: ProviderBody['max_price']): PriceCaps | undefined {
  if (!given) return undefined;
  const cap = (name: keyof PriceCaps, price: Price, per = 1n) => {
    const atto = price === null || price === undefined ? undefined : attoUsd(price);
    return atto === undefined ? {} : { [name]: atto / per };
  };
  return {
    ...cap('promptAttoUsd', given.prompt, perMillion),
    ...cap('completionAttoUsd', given.completion, perMillion),
    ...cap('imageAttoUsd', given.image),
    ...cap('audioAttoUsd', given.audio),
    ...cap('requestAttoUsd', given.request),
  };
}

type Price = string | number | null | undefined;

function attoUsd(price: string | number): bigint | undefined {
  return parsePriceAttoUsd(typeof price === 'number' ? price.toFixed(decimalsOfNumbers) : price);
}
