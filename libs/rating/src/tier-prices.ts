import { costNanoUsd, type Prices, type TokenUsage } from '@sluice/inference';
import type { ServiceTier } from '@sluice/catalog';

/** The prices of an endpoint, and the tier and the provider that they are for. */
export interface TieredPrices {
  readonly tier: ServiceTier;
  readonly endpoint: { readonly provider: string; readonly isPrivate?: true };
  readonly prices: Prices;
}

interface Called<Endpoint extends TieredPrices> {
  readonly model: { readonly endpoints: readonly Endpoint[] };
  readonly endpoint: TieredPrices;
}

/**
 * Returns the prices of a generation: if the provider served another tier than the endpoint's, the prices of that
 * tier, if they make it cheaper. A dearer tier was not requested, and nothing was held for it. A private endpoint has
 * the rates of its organization in any tier, and no other endpoint has them.
 */
export function tierPrices<Endpoint extends TieredPrices>(
  { model, endpoint }: Called<Endpoint>,
  servedTier: ServiceTier | undefined,
  usage: TokenUsage,
): Prices {
  const { tier, prices } = endpoint;
  const { provider, isPrivate } = endpoint.endpoint;
  if (servedTier === undefined || servedTier === tier || isPrivate) return prices;
  const served = model.endpoints.find(
    (one) =>
      one.tier === servedTier && one.endpoint.provider === provider && !one.endpoint.isPrivate,
  );
  if (!served) return prices;
  return costNanoUsd(usage, served.prices) < costNanoUsd(usage, prices) ? served.prices : prices;
}
