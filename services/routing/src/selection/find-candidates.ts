import type { Rejection } from '@sluice/errors';
import { pricesFor, type Prices } from '@sluice/inference';
import type { Catalog, CatalogEndpoint, Model } from '@sluice/catalog';
import type { Candidate } from './candidate.ts';
import type { Strategy } from './plan.ts';
import type { Preferences } from '../request/preferences.ts';
import { readSlug, type Slug } from '../request/slug.ts';
import { invalid } from './unavailable.ts';
import { freeVariantEnded, modelNotFound, noFreeModel, paidVariantOf } from './unknown-model.ts';

/** Everything that could answer, before anything is asked of it. */
export interface Found {
  readonly candidates: readonly Candidate[];
  /** Belongs to the first model. */
  readonly slug: Slug;
  readonly strategy: Strategy;
  /** The models that the first name stands for; none: it names nothing that exists. */
  readonly askedFirst: readonly string[];
}

interface Finding {
  readonly catalog: Pick<Catalog, 'find' | 'listed'>;
  /** When the request came in: some prices depend on it. */
  readonly now: () => Date;
  /** Our own count: others do. */
  readonly inputTokens: number;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** Stands for any model that costs nothing. */
const freeRouter = 'service/free';

/** True for a name that a request may give as its model. Whether an endpoint answers is another question. */
export function isCallable(name: string, catalog: Pick<Catalog, 'find'>): boolean {
  const { id, unserved } = readSlug(name);
  return unserved === undefined && (id === freeRouter || catalog.find(id) !== undefined);
}

/** The endpoints of the models that are asked for. One that does not exist is skipped while another does. */
export function findCandidates(
  { models, wantsPro }: Pick<Preferences, 'models' | 'wantsPro'>,
  finding: Finding,
): Found | Rejection {
  const { catalog } = finding;
  const candidates: Candidate[] = [];
  let strategy: Strategy = 'direct';
  let slug: Slug | undefined;
  let hasNoPro = false;
  let hasEnded = false;
  let askedFirst: readonly string[] = [];
  for (const [index, name] of models.entries()) {
    const read = readSlug(name);
    const { id } = read;
    slug ??= read;
    if (id === freeRouter) {
      candidates.push(...freeCandidates(finding));
      if (index > 0) continue;
      strategy = 'free';
      askedFirst = [...new Set(candidates.map(({ model }) => model.id))];
      continue;
    }
    const named = catalog.find(id);
    if (!named) {
      const paid = paidVariantOf(id);
      hasEnded ||= paid !== undefined && catalog.find(paid) !== undefined;
      continue;
    }
    if (index === 0 && named.id !== id) strategy = id.startsWith('~') ? 'latest' : 'alias';
    const model = wantsPro ? proOf(named, catalog) : named;
    hasNoPro ||= model === undefined;
    if (index === 0 && model) askedFirst = [model.id];
    if (model)
      for (const endpoint of model.endpoints)
        candidates.push(candidateOf(model, endpoint, finding));
  }
  if (slug && candidates.length > 0) return { candidates, slug, strategy, askedFirst };
  if (strategy === 'free') return noFreeModel(models);
  if (hasEnded) return freeVariantEnded(models);
  return hasNoPro ? invalid('reasoning.mode', 'this model has no pro mode') : modelNotFound(models);
}

/** The free endpoints of all models that are listed: any of these models may come first. */
function freeCandidates(finding: Finding): readonly Candidate[] {
  const drawn = finding.catalog.listed
    .map((model) => ({ model, at: finding.random() }))
    .toSorted((one, other) => one.at - other.at);
  return drawn.flatMap(({ model }) =>
    model.endpoints
      .map((endpoint) => candidateOf(model, endpoint, finding))
      .filter(({ endpoint }) => isFree(endpoint.prices)),
  );
}

const proSuffix = '-pro';

/** The sibling of a model that thinks longest; undefined: it has none. */
function proOf(model: Model, catalog: Finding['catalog']): Model | undefined {
  return model.id.endsWith(proSuffix) ? model : catalog.find(model.id + proSuffix);
}

/** With one price from here on, whatever the hour when it is charged. */
function candidateOf(model: Model, written: CatalogEndpoint, finding: Finding): Candidate {
  const { pricesAt } = written;
  const endpoint = pricesAt ? { ...written, prices: pricesAt(finding.now()) } : written;
  if (!endpoint.prices.tiers) return { model, endpoint };
  return { model, endpoint, expectedPrices: pricesFor(endpoint.prices, finding.inputTokens) };
}

/** Whatever is asked of it, and however much. */
function isFree(prices: Prices): boolean {
  const all = [prices, ...(prices.tiers ?? []).map((tier) => tier.prices)];
  return all.every((each) =>
    Object.values(each).every((price) => typeof price !== 'bigint' || price === 0n),
  );
}
