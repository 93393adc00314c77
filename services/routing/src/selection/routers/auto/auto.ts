import type { Rejection } from '@sluice/errors';
import { type PluginSettings, settingsOf } from '../../../request/plugins.ts';
import { availability } from '../../availability.ts';
import type { Candidate } from '../../candidate.ts';
import { compilePatterns } from '../patterns.ts';
import type { Narrowed, RoutedCall, Router, RouterKnowledge } from '../router.ts';
import { type Classified, classify } from './classify.ts';
import { intelligenceOf, type Priced, pricedModels, shownPrice } from '../priced-models.ts';
import { bandOf, type CostBand, inBand } from './cost-band.ts';
import { type Scored, scoreModels } from './score-models.ts';

type AutoId = 'auto-router' | 'auto-beta-router';
type Settings = Partial<PluginSettings<'auto-router'>>;

/** Stands for the models that suit the task of the request, within a band of costs. */
export const auto = routerOf('service/auto', 'auto-router');
export const autoBeta = routerOf('service/auto-beta', 'auto-beta-router');

function routerOf(slug: string, id: AutoId): Router {
  return {
    slug,
    strategy: 'auto',
    expand(call, { catalog, rankings }) {
      const requested = call.preferences.models;
      const settings: Settings = settingsFor(call, id) ?? {};
      const classified = classify(call.inference);
      const shares = rankings.shares();
      const scores = scoreModels(classified.task.skill, catalog.listed, shares);
      const isAllowed = filterOf(settings);
      const ranked = [...scores.keys()].filter(isAllowed);
      const pinned = settings.pin_model === true ? call.answeredBy : undefined;
      const models = withPinned(
        ranked,
        pinned,
        (name) => isAllowed(name) && isListed(catalog, name),
      );
      if (models.length === 0) return noModel(requested);
      const band = bandOf(settings.cost_tier, settings.cost_quality_tradeoff);
      const excluded = [...scores.keys()].filter((name) => !isAllowed(name));
      const asked = {
        id,
        classified,
        scores,
        isUsed: shares !== undefined,
        band,
        pinned,
        excluded,
      };
      return {
        models,
        narrow: (able) => choiceOf(able, asked),
        refuse: (byFilter) => noModel(requested, byFilter),
      };
    },
  };
}

/** Returns the models with the one of the last answer, whatever it is ranked for. */
function withPinned(
  ranked: readonly string[],
  pinned: string | undefined,
  isAllowed: (id: string) => boolean,
): readonly string[] {
  if (pinned === undefined || ranked.includes(pinned) || !isAllowed(pinned)) return ranked;
  return [pinned, ...ranked];
}

function isListed(catalog: RouterKnowledge['catalog'], id: string): boolean {
  const model = catalog.find(id);
  return model?.id === id && !model.isHidden;
}

/** Settings of one of the two routers do not hold for the other one. Only the first one pins a model. */
function settingsFor(call: RoutedCall, id: AutoId): Settings | undefined {
  if (id === 'auto-router') return settingsOf(call, 'auto-router');
  const { id: _id, ...settings } = settingsOf(call, 'auto-beta-router') ?? {};
  return { ...settings, pin_model: false };
}

/** An excluded pattern wins over an allowed one. */
function filterOf({ allowed_models: allowed, excluded_models: excluded }: Settings) {
  const isAllowed = allowed ? compilePatterns(allowed) : () => true;
  const isExcluded = excluded ? compilePatterns(excluded) : () => false;
  return (id: string) => isAllowed(id) && !isExcluded(id);
}

interface Asked {
  readonly id: AutoId;
  readonly classified: Classified;
  readonly scores: ReadonlyMap<string, Scored>;
  /** The use of models is known. */
  readonly isUsed: boolean;
  readonly band: CostBand;
  readonly pinned: string | undefined;
  /** The ranked models that the patterns left out. */
  readonly excluded: readonly string[];
}

/** One choice, and fallbacks. */
const chosenMax = 3;
const listedMax = 20;

function choiceOf(able: readonly Candidate[], asked: Asked): Narrowed {
  const models = pricedModels(able);
  const pinned = models.find(({ id }) => id === asked.pinned);
  const ofTask = models.filter(({ id }) => asked.scores.has(id));
  const band = inBand(ofTask, asked.band);
  const ranked = band.toSorted(
    (one, other) =>
      scoreOf(other, asked) - scoreOf(one, asked) ||
      intelligenceOf(other) - intelligenceOf(one) ||
      one.price - other.price,
  );
  const chosen = (pinned ? [pinned, ...ranked.filter((one) => one !== pinned)] : ranked).slice(
    0,
    chosenMax,
  );
  const [first, ...others] = chosen.flatMap(({ candidates }) => candidates);
  if (!first) throw new Error('invariant: a band of models that can serve has one');
  return {
    candidates: [first, ...others],
    report: reportOf(asked, { models: ofTask, ranked, chosen, isPinned: pinned !== undefined }),
  };
}

function scoreOf({ id }: Priced, { scores }: Asked): number {
  return scores.get(id)?.score ?? 0;
}

/** The report has no share: it would show how much others use a model. */
function evidenceOf({ id }: Priced, { scores }: Asked) {
  const { place, usageRank } = scores.get(id) ?? {};
  return {
    ...(place !== undefined && { place: place + 1 }),
    ...(usageRank !== undefined && { usage_rank: usageRank }),
  };
}

interface Choice {
  readonly models: readonly Priced[];
  readonly ranked: readonly Priced[];
  readonly chosen: readonly Priced[];
  readonly isPinned: boolean;
}

function reportOf(asked: Asked, { models, ranked, chosen, isPinned }: Choice): Narrowed['report'] {
  const { task, evidence } = asked.classified;
  const ids = chosen.map(({ id }) => id);
  return {
    type: 'plugin',
    name: asked.id,
    summary: `chose ${ids.join(', ')} for ${task.name}${isPinned ? ', the model of the last answer first' : ''}`,
    data: {
      task_type: task.name,
      evidence,
      rankings: asked.isUsed ? 'table and usage' : 'table',
      cost_percentiles: [asked.band.from, asked.band.to],
      ...(isPinned && { pinned: true }),
      chosen: ids,
      candidates: ranked.slice(0, listedMax).map((one) => ({
        model: one.id,
        ...evidenceOf(one, asked),
        price: shownPrice(one),
      })),
      excluded: {
        by_patterns: asked.excluded.length,
        cannot_serve: asked.scores.size - asked.excluded.length - models.length,
        other_costs: models.length - ranked.length,
      },
      ...(asked.excluded.length > 0 && {
        excluded_by_patterns: asked.excluded.slice(0, listedMax),
      }),
    },
  };
}

function noModel(requested: readonly string[], byFilter?: Rejection): Rejection {
  const details = { availability: availability('no_endpoints', requested) };
  return {
    rejected: 'not_found',
    message: 'no models match your request and model restrictions',
    metadata: byFilter?.metadata ?? details,
  };
}
