import type { Quantization, ServiceTier } from '@sluice/catalog';

export const sortKeys = ['price', 'throughput', 'latency', 'exacto'] as const;
export type SortKey = (typeof sortKeys)[number];

/** Bounds of a measure, by percentile. */
export type Thresholds = Readonly<Partial<Record<'p50' | 'p75' | 'p90' | 'p99', number>>>;

/** A client's wishes about endpoints, whatever model it names. */
export interface Preferences {
  /** The models in the order of the request, the first choice first, none twice. */
  readonly models: readonly string[];
  /** Names of providers or of their variants, in lower case. */
  readonly order: readonly string[] | undefined;
  readonly only: readonly string[] | undefined;
  readonly ignore: readonly string[];
  readonly allowsFallbacks: boolean;
  readonly requiresParameters: boolean;
  readonly deniesDataCollection: boolean;
  readonly demandsZeroRetention: boolean;
  readonly demandsDistillable: boolean;
  readonly quantizations: readonly Quantization[] | undefined;
  readonly sort: SortKey | undefined;
  /** Used if neither the request nor the suffix of its model names an order. */
  readonly defaultSort: SortKey | undefined;
  /** One order over all models, not one for each. */
  readonly mixesModels: boolean;
  /** Tokens per second. */
  readonly throughputMin: Thresholds | undefined;
  /** Seconds to the first token. */
  readonly latencyMax: Thresholds | undefined;
  readonly priceMax: PriceCaps | undefined;
  /** The sibling of each model that thinks longest. */
  readonly wantsPro: boolean;
  readonly tier: Exclude<ServiceTier, 'default'> | undefined;
  /** The default tier was asked for by name: no other one is let in by the way. */
  readonly isDefaultTierOnly: boolean;
}

/** The dearest that is acceptable, in atto-USD: of a token, a picture, a request. */
export interface PriceCaps {
  readonly promptAttoUsd?: bigint;
  readonly completionAttoUsd?: bigint;
  readonly imageAttoUsd?: bigint;
  readonly audioAttoUsd?: bigint;
  readonly requestAttoUsd?: bigint;
}
