import { isRejection, type Rejection } from '@sluice/errors';
import type { EffectiveDemands } from '@sluice/policy';
import type { Catalog } from '@sluice/catalog';
import type { InferenceRequest } from '@sluice/inference';
import type { CanonicalCall } from '../request/call.ts';
import { compressionOf } from '../request/compression.ts';
import type { Served, UnsupportedMode } from '../request/leave-out-tools.ts';
import { type FieldWords, responsesWords } from '../request/field-words.ts';
import type { Candidate } from './candidate.ts';
import { thoughtsRefused } from './mandatory-thoughts.ts';
import type { Preferences, SortKey } from '../request/preferences.ts';
import { findCandidates, type Found } from './find-candidates.ts';
import { type Demanded, type FilterName, type HardFilter, hardFilters } from './filters.ts';
import { modalitiesOf } from './modalities.ts';
import { orderCandidates, type Ordering } from './order.ts';
import { parametersOf, softParameters } from './parameters.ts';
import type { Exclusion, Placement, Plan, Refused } from './plan.ts';
import type { Routers } from './routers/index.ts';
import { type Left, narrow } from './routers/narrow.ts';
import type { StageReport } from '../stages/stage.ts';
import type { Expansion, Rankings, RoutedField, Router } from './routers/router.ts';
import { nobodyLeft } from './unavailable.ts';

export interface Choosing {
  readonly catalog: Pick<Catalog, 'find' | 'listed' | 'routers'>;
  readonly guardrails: EffectiveDemands;
  /** Our own count. */
  readonly inputTokens: number;
  /** Our own count of what the context must hold at once. Absent: all of the input. */
  readonly contextTokens?: number;
  /** When it came in: some prices depend on it. */
  readonly now: () => Date;
  readonly condition: Ordering['condition'];
  /** If undefined, the request belongs to no conversation. */
  readonly sticky: ((modelIds: readonly string[]) => string | undefined) | undefined;
  /** That the client has named: it begins at the same endpoint in every replica. */
  readonly session?: string | undefined;
  readonly random: () => number;
  /** The share of each model of the spend of seven days. If absent, none is known. */
  readonly shares?: Rankings['shares'] | undefined;
  /** If absent, the routers of `routers/index.ts` are used. */
  readonly routers?: Routers | undefined;
}

/** Returns the endpoints to try for a request, in order and with reasons; or why there are none. */
export function choose(
  call: Pick<CanonicalCall, RoutedField | 'unsupportedMode' | 'settingsAreWishes' | 'words'>,
  choosing: Choosing,
): Plan | Refused | Rejection {
  const { preferences, unsupportedMode, words = responsesWords } = call;
  const found = findCandidates(call, choosing);
  if (isRejection(found)) return found;
  const { candidates, slug, strategy, expansion } = found;
  const inference = withEffort(call.inference, expansion?.effort);
  // Refuses only for a model that the client has named. Behind an alias, which stands for the newest model, the wish is
  // served as well as possible.
  const refused = strategy === 'direct' ? thoughtsRefused(candidates, call) : undefined;
  if (refused) return refused;
  const parameters = parametersOf(inference);
  const demanded: Demanded = {
    preferences,
    admits: slug.admits,
    guardrails: choosing.guardrails,
    request: inference,
    required: requiredOf(preferences, found.router, parameters),
    modalities: modalitiesOf(inference),
    contextTokens: choosing.contextTokens ?? choosing.inputTokens,
    now: choosing.now,
    settingsAreWishes: call.settingsAreWishes ?? false,
    compression: compressionOf(call),
  };
  const left = filtered(candidates, demanded, { mode: unsupportedMode, words });
  const narrowed = isRejection(left) ? refusalOf(left, found) : withNarrowed(left, found);
  if (isRejection(narrowed))
    return { ...narrowed, routed: { ...saidOf(call, found), attempts: [], candidates } };
  const used = softlyFiltered(narrowed.candidates, parameters);
  const sticky = preferences.order ? undefined : choosing.sticky?.(modelsOf(used));
  const ordered = orderCandidates(used, {
    preferences,
    sort: preferences.sort ?? slug.sort ?? defaultSort(preferences),
    hasTools: inference.tools.length > 0,
    condition: choosing.condition,
    sticky,
    session: sticky === undefined ? choosing.session : undefined,
    random: choosing.random,
  });
  const [first] = ordered;
  if (!first) throw new Error('invariant: an order leaves nobody out');
  const others = ordered.slice(1).map(({ candidate }) => candidate);
  const attempts: [Candidate, ...Candidate[]] = [first.candidate, ...others];
  const order = ordered.map(({ candidate, reason, seed }): Placement => {
    return { endpointId: candidate.endpoint.id, reason, ...(seed !== undefined && { seed }) };
  });
  const served =
    narrowed.served ??
    (inference === call.inference ? undefined : { request: inference, leftOut: [] });
  return {
    ...saidOf(call, found, narrowed.report),
    requestedModels: call.aliases?.requested ?? preferences.models,
    attempts,
    ...(attempts.some((one) => one.isForBudget) && { isBudgeted: true as const }),
    explanation: {
      candidates: narrowed.report ? chosenFirst(candidates, used) : candidates,
      excluded: narrowed.excluded,
      order,
      router: found.router && {
        slug: found.router.slug,
        report: narrowed.report ?? expansion?.report,
      },
    },
    ...(served && { served }),
  };
}

function withNarrowed(left: Filtered, { ofRouters }: Found): (Filtered & Left) | Rejection {
  if (ofRouters.length === 0) return left;
  const narrowed = narrow(left.candidates, ofRouters);
  if (isRejection(narrowed)) return narrowed;
  return { ...left, ...narrowed, excluded: [...left.excluded, ...narrowed.excluded] };
}

/** Returns the refusal by a filter, in the words of the router if the request names nothing else. */
function refusalOf(left: Rejection, { ofRouters, candidates }: Found): Rejection {
  const [only] = ofRouters;
  const refuse = only?.candidates.size === candidates.length ? only.expansion.refuse : undefined;
  return refuse?.(left) ?? left;
}

/** Puts the chosen endpoints first, because a record keeps only the first ones. */
function chosenFirst(
  all: readonly Candidate[],
  chosen: readonly Candidate[],
): readonly Candidate[] {
  const ids = new Set(chosen.map(({ endpoint }) => endpoint.id));
  return [...chosen, ...all.filter(({ endpoint }) => !ids.has(endpoint.id))];
}

/** Returns how the models came to be chosen, as the client gets it. */
function saidOf(
  { preferences, preset, aliases }: Pick<CanonicalCall, 'preferences' | 'preset' | 'aliases'>,
  { strategy, askedFirst, expansion }: Found,
  narrowed?: StageReport,
): Pick<Plan, 'requested' | 'strategy' | 'askedFirst' | 'params' | 'stages' | 'preset' | 'alias'> {
  const params =
    preset || aliases
      ? { ...expansion?.params, ...namedParams({ preset, aliases }) }
      : expansion?.params;
  const report = narrowed ?? expansion?.report;
  return {
    requested: preset?.requested ?? (aliases?.requested ?? preferences.models)[0] ?? '',
    strategy,
    askedFirst,
    ...(params && { params }),
    ...(report && { stages: [report] }),
    ...(preset && { preset }),
    ...(aliases && { alias: aliases.alias }),
  };
}

/** Returns the preset and the alias of a request, as the client gets them. */
function namedParams({ preset, aliases }: Pick<CanonicalCall, 'preset' | 'aliases'>) {
  return {
    ...(preset && { preset: preset.slug, preset_version: preset.version }),
    ...(aliases && { alias: aliases.alias.name, alias_version: aliases.alias.version }),
  };
}

/** Returns the request with the effort that a router chose. */
function withEffort(request: InferenceRequest, effort: Expansion['effort']): InferenceRequest {
  if (effort === undefined) return request;
  const summary = request.options?.reasoning?.summary;
  const reasoning = { effort, ...(summary && { summary }) };
  return { ...request, options: { ...request.options, reasoning } };
}

/** An order and a tier are words of their own. */
function defaultSort({ order, tier, defaultSort: sort }: Preferences): SortKey | undefined {
  return order === undefined && tier === undefined ? sort : undefined;
}

/** A model that a router chose must be able to do what the request needs. */
function requiredOf(
  { requiresParameters }: Preferences,
  router: Router | undefined,
  parameters: readonly string[],
): readonly string[] {
  if (requiresParameters) return parameters;
  return router ? softParameters.filter((name) => parameters.includes(name)) : [];
}

function modelsOf(candidates: readonly Candidate[]): readonly string[] {
  return [...new Set(candidates.map(({ model }) => model.id))];
}

interface Filtered {
  readonly candidates: readonly Candidate[];
  readonly excluded: readonly Exclusion[];
  readonly served: Served<InferenceRequest> | undefined;
}

function filtered(
  all: readonly Candidate[],
  asked: Demanded,
  { mode, words }: { readonly mode: UnsupportedMode; readonly words: FieldWords },
): Filtered | Rejection {
  let candidates = all;
  let demanded = asked;
  let served: Served<InferenceRequest> | undefined;
  const excluded: Exclusion[] = [];
  for (const filter of hardFilters) {
    const relaxed = mode === 'lenient' && filter.relaxed?.(candidates, demanded);
    if (relaxed) {
      const leftOut = [...(served?.leftOut ?? []), ...relaxed.leftOut];
      served = { request: relaxed.request, leftOut };
      demanded = { ...demanded, request: relaxed.request };
    }
    // Mostly a filter passes all of them: that takes no list.
    if (isMetByAll(candidates, filter, demanded)) continue;
    demanded = filter.prepared?.(candidates, demanded) ?? demanded;
    let by: FilterName | undefined;
    const left = candidates.filter((candidate) => {
      const against = filter.objection(candidate, demanded);
      if (against === undefined) return true;
      by = against;
      const { endpoint, model } = candidate;
      excluded.push({ endpointId: endpoint.id, filter: against, detail: model.id });
      return false;
    });
    if (by !== undefined && left.length === 0)
      return nobodyLeft({
        requested: demanded.preferences.models,
        by,
        last: candidates,
        excluded,
        request: demanded.request,
        contextTokens: demanded.contextTokens,
        modalities: demanded.modalities,
        only: demanded.preferences.only,
        words,
        compression: demanded.compression,
      });
    candidates = left;
  }
  return { candidates, excluded, served };
}

function isMetByAll(
  candidates: readonly Candidate[],
  { objection }: HardFilter,
  demanded: Demanded,
): boolean {
  for (const candidate of candidates)
    if (objection(candidate, demanded) !== undefined) return false;
  return true;
}

/** Keeps a model's endpoints that know all sent parameters, if there are any: it never removes a model. */
function softlyFiltered(
  candidates: readonly Candidate[],
  parameters: readonly string[],
): readonly Candidate[] {
  let left = candidates;
  for (const name of softParameters) {
    if (!parameters.includes(name)) continue;
    const having = left.filter(({ endpoint }) => endpoint.supportedParameters.has(name));
    if (having.length === left.length) continue;
    const models = new Set(having.map(({ model }) => model.id));
    left = left.filter(
      ({ model, endpoint }) => endpoint.supportedParameters.has(name) || !models.has(model.id),
    );
  }
  return left;
}
