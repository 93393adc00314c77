import type { Model, PoolModel } from '@sluice/catalog';
import type { ReasoningEffort } from '@sluice/inference';
import type { PluginSettings } from '../../../request/plugins.ts';
import { intelligenceOf, type Priced } from '../priced-models.ts';
import { compilePatterns } from '../patterns.ts';
import { permittedModels } from '../permitted-models.ts';
import type { RouterKnowledge } from '../router.ts';

/** A model that the judge may choose. */
export interface PoolEntry extends PoolModel {
  readonly priced: Priced;
}

export type Settings = Partial<PluginSettings<'jev-router'>>;

export interface Pool {
  readonly entries: readonly PoolEntry[];
  /** The models that patterns and the cost tier left out. */
  readonly leftOut: readonly string[];
  /** No model matched `models`, so the list has no effect. */
  readonly ignoresModels: boolean;
  /** The names of all cost tiers. */
  readonly tiers: readonly string[];
}

const tierNames = ['low', 'medium', 'high'] as const;
const perTierMax = 4;
const offeredEfforts: readonly ReasoningEffort[] = ['high', 'medium', 'low'];

/** Returns the models from which the judge chooses: those of the operator, or else the best of each third of costs. */
export function poolOf(settings: Settings, known: RouterKnowledge): Pool {
  const { catalog } = known;
  const { pool } = catalog.routers;
  const all = pool.length > 0 ? written(pool, known) : usual(known);
  const isExcluded = matcherOf(settings.excluded_models ?? [], catalog);
  const left = all.filter(({ model }) => !isExcluded(model));
  const wanted = [...(settings.models ?? []), ...(settings.allowed_models ?? [])];
  const isWanted = matcherOf(wanted, catalog);
  const matching = wanted.length > 0 ? left.filter(({ model }) => isWanted(model)) : left;
  const ignoresModels = wanted.length > 0 && matching.length === 0;
  const inTier = (ignoresModels ? left : matching).filter(
    ({ costTier }) => settings.cost_tier == null || costTier === settings.cost_tier,
  );
  const tiers = [...new Set(pool.length > 0 ? pool.map(({ costTier }) => costTier) : tierNames)];
  const kept = new Set(inTier);
  const leftOut = all.filter((entry) => !kept.has(entry)).map(({ model }) => model);
  return { entries: inTier, leftOut, ignoresModels, tiers };
}

function written(pool: readonly PoolModel[], known: RouterKnowledge): readonly PoolEntry[] {
  const models = pool.flatMap(({ model }) => known.catalog.find(model) ?? []);
  const priced = new Map(permittedModels(models, known).map((one) => [one.id, one]));
  return pool.flatMap((entry) => {
    const id = known.catalog.find(entry.model)?.id ?? '';
    const found = priced.get(id);
    return found ? [{ ...entry, model: id, priced: found }] : [];
  });
}

/** Splits the models that write texts in three by their prices. */
function usual(known: RouterKnowledge): readonly PoolEntry[] {
  const texts = known.catalog.listed.filter(({ outputModalities }) =>
    outputModalities.includes('text'),
  );
  const sorted = permittedModels(texts, known).toSorted(
    (one, other) => one.price - other.price || (one.id < other.id ? -1 : 1),
  );
  return tierNames.flatMap((costTier, index) =>
    sorted
      .slice(
        Math.floor((index * sorted.length) / tierNames.length),
        Math.floor(((index + 1) * sorted.length) / tierNames.length),
      )
      .toSorted((one, other) => intelligenceOf(other) - intelligenceOf(one))
      .slice(0, perTierMax)
      .map((priced) => ({ model: priced.id, costTier, efforts: effortsOf(priced), priced })),
  );
}

function effortsOf({ candidates: [first] }: Priced): readonly ReasoningEffort[] {
  const reasoning = first?.model.reasoning;
  if (!reasoning) return [];
  const { efforts } = reasoning;
  return offeredEfforts.filter((effort) => !efforts || efforts.includes(effort));
}

/** A pattern `~author/family-latest` matches every revision of the family. */
function matcherOf(patterns: readonly string[], catalog: RouterKnowledge['catalog']) {
  const families = new Set(patterns.filter((pattern) => pattern.startsWith('~')));
  const matches = compilePatterns(patterns.filter((pattern) => !pattern.startsWith('~')));
  return (id: string) =>
    matches(id) || (families.size > 0 && isOfFamily(catalog.find(id), families));
}

function isOfFamily(model: Model | undefined, families: ReadonlySet<string>): boolean {
  return model?.aliases.some((alias) => families.has(alias)) ?? false;
}
