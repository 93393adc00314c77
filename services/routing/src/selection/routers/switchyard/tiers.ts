import type { RouterModels } from '@sluice/catalog';
import { inBand } from '../auto/cost-band.ts';
import { intelligenceOf, type Priced } from '../priced-models.ts';

export type Tier = 'efficient' | 'capable';
export type Tiers = { readonly [One in Tier]?: Priced };

const cheapPercentile = 20;

/**
 * Returns the two candidates: those of the operator, or else the model with the best intelligence index, the dearest
 * among equals, and the best one of the cheapest fifth. One that cannot serve is absent.
 */
export function tiersOf(models: readonly Priced[], set: RouterModels['switchyard']): Tiers {
  if (set) {
    const find = (id: string) => models.find((model) => model.id === id);
    return tiers(find(set.efficient), find(set.capable));
  }
  const [capable] = models.toSorted(
    (one, other) =>
      intelligenceOf(other) - intelligenceOf(one) ||
      other.price - one.price ||
      (one.id < other.id ? -1 : 1),
  );
  const [efficient] = inBand(models, { from: 0, to: cheapPercentile }).toSorted(
    (one, other) => intelligenceOf(other) - intelligenceOf(one) || one.price - other.price,
  );
  return tiers(efficient, capable);
}

/** One model alone is both, so it is named once. */
function tiers(efficient: Priced | undefined, capable: Priced | undefined): Tiers {
  return {
    ...(efficient && efficient.id !== capable?.id && { efficient }),
    ...(capable && { capable }),
  };
}
