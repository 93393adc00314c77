import { isRejection, type Rejection } from '@sluice/errors';
import { pricesFor } from '@sluice/inference';
import { type EffectiveDemands, objectionTo } from '@sluice/policy';
import type { Catalog, CatalogEndpoint, Model } from '@sluice/catalog';
import { type Candidate, pricedAt } from './candidate.ts';
import { policyCandidate } from './filters.ts';
import type { Strategy } from './plan.ts';
import type { SortKey } from '../request/preferences.ts';
import { hasUnknownSuffix, readSlug, type Slug } from '../request/slug.ts';
import { routers, type Routers } from './routers/index.ts';
import type { OfRouter } from './routers/narrow.ts';
import type { Expansion, Rankings, RoutedCall, Router, RouterKnowledge } from './routers/router.ts';
import { invalid } from './unavailable.ts';
import { freeVariantEnded, modelNotFound, paidVariantOf } from './unknown-model.ts';

/** Everything that could answer, before anything is asked of it. */
export interface Found {
  readonly candidates: readonly Candidate[];
  /** Belongs to the first model. */
  readonly slug: Slug;
  readonly strategy: Strategy;
  /** The models that the first name stands for; none: it names nothing that exists. */
  readonly askedFirst: readonly string[];
  /** The router that the first name stands for. */
  readonly router?: Router | undefined;
  /** The choice of this router; absent: it found no model. */
  readonly expansion?: Expansion | undefined;
  /** The endpoints that routers named, one entry a router. */
  readonly ofRouters: readonly OfRouter[];
}

interface Finding
  extends Omit<RouterKnowledge, 'permits' | 'rankings' | 'sort'>, Pick<Rankings, 'condition'> {
  readonly shares?: Rankings['shares'] | undefined;
  readonly guardrails: EffectiveDemands;
  /** Our own count: others do. */
  readonly inputTokens: number;
  readonly routers?: Routers | undefined;
}

/** True for a name that a request may give as its model. Whether an endpoint answers is another question. */
export function isCallable(name: string, catalog: Pick<Catalog, 'find'>): boolean {
  const { id } = readSlug(name);
  return routers.has(id) || catalog.find(id) !== undefined;
}

/**
 * The endpoints of the models that are asked for. One that does not exist is skipped while another does. A suffix that
 * the grammar lacks refuses the request, wherever it stands.
 */
export function findCandidates(call: RoutedCall, finding: Finding): Found | Rejection {
  const { models, wantsPro } = call.preferences;
  const { catalog } = finding;
  const candidates: Candidate[] = [];
  const ofRouters: OfRouter[] = [];
  let strategy: Strategy = 'direct';
  let slug: Slug | undefined;
  let hasNoPro = false;
  let hasEnded = false;
  let askedFirst: readonly string[] = [];
  let first: Router | undefined;
  let expansion: Expansion | undefined;
  let refused: Rejection | undefined;
  const { budgetModels = [], firstCount } = call.aliases ?? {};
  const names = budgetModels.length > 0 ? [...models, ...budgetModels] : models;
  let index = -1;
  for (const name of names) {
    index += 1;
    const isForBudget = index >= models.length;
    const read = readSlug(name);
    const { id } = read;
    slug ??= read;
    const router = (finding.routers ?? routers).get(id);
    if (router) {
      const sort = call.preferences.sort ?? read.sort;
      const expanded = router.expand(call, knowledgeOf(finding, sort));
      const isRefused = isRejection(expanded);
      if (!isRefused) {
        const found = candidatesOf(expanded, finding);
        const named = isForBudget ? found.map((one) => ({ ...one, isForBudget })) : found;
        candidates.push(...named);
        ofRouters.push({ candidates: new Set(named), expansion: expanded, isFirst: index === 0 });
      }
      if (index < (firstCount ?? 1))
        askedFirst = [...new Set(candidates.map(({ model }) => model.id))];
      if (index > 0) continue;
      first = router;
      ({ strategy } = router);
      if (isRefused) refused = expanded;
      else expansion = expanded;
      continue;
    }
    const named = catalog.find(id);
    if (!named) {
      if (hasUnknownSuffix(id)) return modelNotFound([name]);
      const paid = paidVariantOf(id);
      hasEnded ||= paid !== undefined && catalog.find(paid) !== undefined;
      continue;
    }
    if (index === 0 && named.id !== id) strategy = id.startsWith('~') ? 'latest' : 'alias';
    const model = wantsPro ? proOf(named, catalog) : named;
    hasNoPro ||= model === undefined;
    if (index < (firstCount ?? 1) && model) askedFirst = [...askedFirst, model.id];
    if (model)
      for (const endpoint of model.endpoints) {
        const candidate = candidateOf(model, endpoint, finding);
        candidates.push(isForBudget ? { ...candidate, isForBudget } : candidate);
      }
  }
  if (firstCount !== undefined) strategy = 'alias';
  if (slug && candidates.length > 0)
    return { candidates, slug, strategy, askedFirst, router: first, expansion, ofRouters };
  if (refused) return refused;
  if (hasEnded) return freeVariantEnded(models);
  return hasNoPro ? invalid('reasoning.mode', 'this model has no pro mode') : modelNotFound(models);
}

/** Returns the facts on which a router bases its choice. */
export function knowledgeOf(finding: Finding, sort: SortKey | undefined): RouterKnowledge {
  const { guardrails, condition, shares = none } = finding;
  return { ...finding, rankings: { condition, shares }, sort, permits: permitsOf(guardrails) };
}

const none = () => undefined;

/** Returns whether these guardrails permit an endpoint. */
function permitsOf(guardrails: EffectiveDemands): RouterKnowledge['permits'] {
  return (model, endpoint) =>
    objectionTo(guardrails, policyCandidate({ model, endpoint })) === undefined;
}

/** Returns the endpoints of the models that a router chose. */
function candidatesOf({ models, admits }: Expansion, finding: Finding): readonly Candidate[] {
  return models.flatMap((id) => {
    const model = finding.catalog.find(id);
    const all = model?.endpoints.map((endpoint) => candidateOf(model, endpoint, finding)) ?? [];
    return admits ? all.filter(({ endpoint }) => admits(endpoint)) : all;
  });
}

const proSuffix = '-pro';

/** The sibling of a model that thinks longest; undefined: it has none. */
function proOf(model: Model, catalog: Finding['catalog']): Model | undefined {
  return model.id.endsWith(proSuffix) ? model : catalog.find(model.id + proSuffix);
}

function candidateOf(model: Model, written: CatalogEndpoint, finding: Finding): Candidate {
  const endpoint = pricedAt(written, finding.now);
  if (!endpoint.prices.tiers) return { model, endpoint };
  return { model, endpoint, expectedPrices: pricesFor(endpoint.prices, finding.inputTokens) };
}
