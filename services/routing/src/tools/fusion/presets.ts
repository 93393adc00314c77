import type { Model } from '@sluice/catalog';

/** A set of models that are asked the same. */
export type Preset = 'general-high' | 'general-budget' | 'general-fast';

const panelUsual = 3;

/**
 * Returns the panel of a preset: models that write texts, of different authors first. `general-high` has the dearest
 * ones, `general-budget` the cheapest that cost something, and `general-fast` those with the most tokens a second. The
 * first one is the analyst.
 */
export function panelOf(
  preset: Preset,
  models: readonly Model[],
  speedOf: (model: Model) => number = () => 0,
): readonly string[] {
  const texts = models
    .filter(({ outputModalities }) => outputModalities.includes('text'))
    .map((model) => ({ id: model.id, price: priceOf(model), speed: speedOf(model) }));
  const paid = texts.filter(({ price }) => price > 0n);
  const known = preset === 'general-budget' && paid.length > 0 ? paid : texts;
  const ranked = known.toSorted((one, other) => {
    if (preset === 'general-high') return one.price > other.price ? -1 : 1;
    if (preset === 'general-fast' && one.speed !== other.speed) return other.speed - one.speed;
    return one.price === other.price ? 0 : one.price < other.price ? -1 : 1;
  });
  return ofDifferentAuthors(ranked.map(({ id }) => id)).slice(0, panelUsual);
}

/** Puts the first model of each author before the others. */
function ofDifferentAuthors(ranked: readonly string[]): readonly string[] {
  const authors = new Set<string>();
  const firsts = ranked.filter((id) => {
    const [author = ''] = id.split('/');
    const isFirst = !authors.has(author);
    authors.add(author);
    return isFirst;
  });
  return [...new Set([...firsts, ...ranked])];
}

function priceOf({ endpoints }: Model): bigint {
  return endpoints.reduce((most, { prices: { outputTokenAttoUsd: price } }) => {
    return price > most ? price : most;
  }, 0n);
}
