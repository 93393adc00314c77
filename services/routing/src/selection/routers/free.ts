import type { Prices } from '@sluice/inference';
import { pricedAt } from '../candidate.ts';
import { noFreeModel } from '../unknown-model.ts';
import type { Router } from './router.ts';

/** Stands for any listed model that costs nothing, in an order by chance. */
export const free: Router = {
  slug: 'service/free',
  strategy: 'free',
  expand({ preferences }, { catalog, now, random }) {
    const models = catalog.listed
      .map((model) => ({ model, at: random() }))
      .toSorted((one, other) => one.at - other.at)
      .filter(({ model: { endpoints } }) =>
        endpoints.some((endpoint) => isFree(pricedAt(endpoint, now).prices)),
      )
      .map(({ model }) => model.id);
    if (models.length === 0) return noFreeModel(preferences.models);
    return { models, admits: ({ prices }) => isFree(prices) };
  },
};

/** Returns true if no request costs anything, whatever it asks for. */
function isFree(prices: Prices): boolean {
  const all = [prices, ...(prices.tiers ?? []).map((tier) => tier.prices)];
  return all.every((each) =>
    Object.values(each).every((price) => typeof price !== 'bigint' || price === 0n),
  );
}
