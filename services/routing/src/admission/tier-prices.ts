import { costNanoUsd, type Prices, type TokenUsage } from '@sluice/inference';
import type { CatalogEndpoint, Model, ServiceTier } from '@sluice/catalog';

interface Called {
  readonly model: Pick<Model, 'endpoints'>;
  readonly endpoint: Pick<CatalogEndpoint, 'tier' | 'endpoint' | 'prices'>;
}

/**
 * Returns the prices of a generation: if the provider served another tier than the endpoint's, the prices of that
 * tier, if they make it cheaper. A dearer tier was not requested, and nothing was held for it.
 */
export function tierPrices(
  { model, endpoint }: Called,
  servedTier: ServiceTier | undefined,
  usage: TokenUsage,
): Prices {
  const { tier, prices } = endpoint;
  if (servedTier === undefined || servedTier === tier) return prices;
  const { provider } = endpoint.endpoint;
  const served = model.endpoints.find(
    (one) => one.tier === servedTier && one.endpoint.provider === provider,
  );
  if (!served) return prices;
  return costNanoUsd(usage, served.prices) < costNanoUsd(usage, prices) ? served.prices : prices;
}
