import type { Rejection } from '@sluice/errors';
import { type PluginSettings, settingsOf } from '../../request/plugins.ts';
import { availability } from '../availability.ts';
import { blendedPrice, type Candidate } from '../candidate.ts';
import { codingScores } from './coding-scores.ts';
import type { Narrowed, Router, RouterKnowledge } from './router.ts';
import { byFrontier, byTier, type Ranked, type Ranking } from './pareto-ranking.ts';

type Settings = Partial<PluginSettings<'pareto-router'>>;

/** Stands for the models that program well for their price. */
export const pareto: Router = {
  slug: 'service/pareto-code',
  strategy: 'pareto',
  expand(call, { catalog, rankings, sort }) {
    const requested = call.preferences.models;
    const scores = codingScores(catalog.listed);
    if (scores.size === 0) return noScores(requested);
    const settings = settingsOf(call, 'pareto-router') ?? {};
    const asked = { settings, rankings, sort, scores, requested };
    return { models: [...scores.keys()], narrow: (able) => choiceOf(able, asked) };
  },
};

interface Asked extends Pick<RouterKnowledge, 'rankings' | 'sort'> {
  readonly settings: Settings;
  readonly scores: ReadonlyMap<string, number>;
  readonly requested: readonly string[];
}

/** One choice, and fallbacks for failures of it. */
const chosenMax = 3;
const attoUsdPerMillionTokens = 1e12;

function choiceOf(able: readonly Candidate[], asked: Asked): Narrowed | Rejection {
  const { settings, sort } = asked;
  const cap = settings.max_price ?? undefined;
  const affordable = cap === undefined ? able : able.filter((one) => priceOf(one, settings) <= cap);
  const models = rankedModels(affordable, asked);
  const ranking =
    cap === undefined
      ? byTier(models, { scoreMin: settings.min_coding_score, isFastest: sort === 'throughput' })
      : byFrontier(models);
  const chosen = ranking.models.slice(0, chosenMax);
  const [first, ...spare] = chosen.map(({ candidates }) => candidates);
  const [served, ...others] = first ?? [];
  if (!served) return tooDear(asked);
  const spares = spare.flat().map((candidate) => ({ ...candidate, isSpare: true as const }));
  return {
    candidates: [served, ...others, ...spares],
    report: reportOf(ranking, { able, models, chosen, asked }),
  };
}

function rankedModels(
  candidates: readonly Candidate[],
  { scores, settings, rankings }: Asked,
): readonly Ranked[] {
  const byModel = Map.groupBy(candidates, ({ model }) => model.id);
  return [...byModel].map(([id, own]) => ({
    id,
    score: scores.get(id) ?? 0,
    price: Math.min(...own.map((one) => priceOf(one, settings))),
    speed: Math.max(
      0,
      ...own.map(({ endpoint }) => rankings.condition(endpoint.id)?.tokensPerSecond?.p50 ?? 0),
    ),
    candidates: own,
  }));
}

/** Returns the USD of a million tokens for a prompt of this length. */
function priceOf(candidate: Candidate, { price_source: source }: Settings): number {
  const prices = candidate.expectedPrices ?? candidate.endpoint.prices;
  const attoUsd =
    source === 'weighted_avg' ? blendedPrice(candidate) : Number(prices.inputTokenAttoUsd);
  return attoUsd / attoUsdPerMillionTokens;
}

interface Choice {
  readonly able: readonly Candidate[];
  /** The models at or below the highest price. */
  readonly models: readonly Ranked[];
  readonly chosen: readonly Ranked[];
  readonly asked: Asked;
}

/** Bounds the lists of a report: the chosen models and those that came close. */
const listedMax = 20;

function reportOf(ranking: Ranking, choice: Choice): Narrowed['report'] {
  const { chosen, models, asked } = choice;
  const { settings, sort } = asked;
  const ids = chosen.map(({ id }) => id);
  const excluded = exclusionsOf(ranking, choice);
  return {
    type: 'plugin',
    name: 'pareto-router',
    summary: `chose ${ids.join(', ')}: ${ranking.reason}`,
    data: {
      ...ranking.facts,
      ...(settings.max_price != null && { max_price: settings.max_price }),
      price_source: settings.price_source ?? 'prompt',
      chosen: ids,
      candidates: models.slice(0, listedMax).map(({ id, score, price, speed }) => ({
        model: id,
        score: rounded(score),
        price: rounded(price),
        ...(sort === 'throughput' && { throughput: rounded(speed) }),
      })),
      excluded: excluded.slice(0, listedMax),
      excluded_count: excluded.length,
    },
  };
}

interface ExcludedModel {
  readonly model: string;
  readonly reason: string;
}

/** Returns the scored models that were not chosen. Those that came closest are first. */
function exclusionsOf(ranking: Ranking, { able, models, chosen, asked }: Choice) {
  const taken = new Set(chosen.map(({ id }) => id));
  const inTier = new Set(ranking.models.map(({ id }) => id));
  const affordable = new Set(models.map(({ id }) => id));
  const left = new Set(able.map(({ model }) => model.id));
  const reasonOf = (id: string) => {
    if (inTier.has(id)) return 'ranked lower';
    if (affordable.has(id)) return 'other tier';
    return left.has(id) ? 'above max_price' : 'no endpoint that can serve the request';
  };
  const order = ['ranked lower', 'other tier', 'above max_price'];
  const place = ({ reason }: ExcludedModel) =>
    order.includes(reason) ? order.indexOf(reason) : order.length;
  return [...asked.scores.keys()]
    .filter((id) => !taken.has(id))
    .map((id): ExcludedModel => ({ model: id, reason: reasonOf(id) }))
    .toSorted((one, other) => place(one) - place(other));
}

function rounded(value: number): number {
  return Number(value.toPrecision(6));
}

function noScores(requested: readonly string[]): Rejection {
  return notFound(
    requested,
    'No listed model has a coding score: the catalog needs benchmarks.artificial_analysis.coding_index',
  );
}

function tooDear({ requested, settings }: Asked): Rejection {
  const price = String(settings.max_price ?? 0);
  return notFound(
    requested,
    `No coding model that can serve the request costs at most max_price (${price} USD a million tokens)`,
  );
}

function notFound(requested: readonly string[], message: string): Rejection {
  return {
    rejected: 'not_found',
    message,
    metadata: { availability: availability('no_endpoints', requested) },
  };
}
