import type { Prices } from '@sluice/inference';
import type { Candidate } from '../candidate.ts';
import { pricedAt } from '../candidate.ts';
import { chanceOf, seedOf } from '../draw.ts';
import { noFreeModel } from '../unknown-model.ts';
import type { Narrowed, Router } from './router.ts';

/** Stands for any listed model that costs nothing, in an order by chance. The record has the seed of the order. */
export const free: Router = {
  slug: 'service/free',
  strategy: 'free',
  expand({ preferences }, { catalog, now, random }) {
    const seed = seedOf(random);
    const models = catalog.listed
      .filter(({ endpoints }) =>
        endpoints.some((endpoint) => isFree(pricedAt(endpoint, now).prices)),
      )
      .map(({ id }) => ({ id, chance: chanceOf(seed, id) }))
      .toSorted((one, other) => one.chance - other.chance);
    if (models.length === 0) return noFreeModel(preferences.models);
    return {
      models: models.map(({ id }) => id),
      admits: ({ prices }) => isFree(prices),
      narrow: (able) => narrowed(able, { seed, models }),
    };
  },
};

interface Drawn {
  readonly seed: string;
  readonly models: readonly { readonly id: string; readonly chance: number }[];
}

const listedMax = 20;

/** Keeps all endpoints, and explains their order. */
function narrowed(able: readonly Candidate[], { seed, models }: Drawn): Narrowed {
  const [first, ...others] = able;
  if (!first) throw new Error('invariant: a router chooses among endpoints that can serve');
  const left = new Set(able.map(({ model }) => model.id));
  const candidates = models.filter(({ id }) => left.has(id));
  return {
    candidates: [first, ...others],
    report: {
      type: 'plugin',
      name: 'free-router',
      summary: `chose ${first.model.id} by chance among ${String(left.size)}`,
      data: {
        seed,
        candidates: candidates.slice(0, listedMax).map(({ id, chance }) => ({ model: id, chance })),
        excluded: { cannot_serve: models.length - candidates.length },
      },
    },
  };
}

/** Returns true if no request costs anything, whatever it asks for. */
function isFree(prices: Prices): boolean {
  const all = [prices, ...(prices.tiers ?? []).map((tier) => tier.prices)];
  return all.every((each) =>
    Object.values(each).every((price) => typeof price !== 'bigint' || price === 0n),
  );
}
