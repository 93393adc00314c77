import type { InferenceRequest, PlainPrices } from '@sluice/inference';
import {
  type Candidate as PolicyCandidate,
  type EffectiveDemands,
  modelFamilies,
  objectionTo,
} from '@sluice/policy';
import {
  budgetedOutputTokensMin,
  canChangeEffort,
  canFillPrompts,
  canRun,
  canSay,
  embeddingGap,
} from '@sluice/providers';
import type {
  CatalogEndpoint,
  InputModality,
  Model,
  OutputModality,
  ServiceTier,
} from '@sluice/catalog';
import { type Candidate, outputTokensMaxOf, outputTokensUnasked } from './candidate.ts';
import type { Compression } from '../request/compression.ts';
import type { Served } from '../request/leave-out-tools.ts';
import type { Preferences, PriceCaps } from '../request/preferences.ts';
import { isFitting, isShortened, withCompressedWindow } from './fitting.ts';
import { withLoweredLimit } from './lowered-limit.ts';
import { servedTools } from './served-tools.ts';

/** All that an endpoint must meet to be tried. */
export interface Demanded {
  readonly preferences: Preferences;
  /** Tiers that the suffix of the slug lets in. */
  readonly admits: 'priority' | 'flex' | undefined;
  readonly guardrails: EffectiveDemands;
  readonly request: InferenceRequest;
  /** Parameters that an endpoint must have. */
  readonly required: readonly string[];
  readonly modalities: readonly InputModality[];
  /** Our own count of what the context must hold at once. */
  readonly contextTokens: number;
  readonly now: () => Date;
  /** The windows that a request is shortened for. */
  readonly compression: Compression;
  /** The window that an endpoint needs to be shortened for. Absent: none needs one. */
  readonly compressedWindowMin?: number;
  /** A request that no endpoint can honour in full is honoured as far as one can. */
  readonly settingsAreWishes: boolean;
}

/** Why an endpoint is out, in the vocabulary of `error.availability.excluded_by`. */
export type FilterName =
  | 'endpoint_kind'
  | 'deprecated'
  | 'disabled'
  | 'service_tier'
  | 'data_region'
  | 'guardrail_models'
  | 'guardrail_providers'
  | 'allowed_providers'
  | 'data_policy:zdr'
  | 'data_policy:training'
  | 'distillable'
  | 'input_modalities'
  | 'output_modalities'
  | 'embedding_media'
  | 'embedding_tokens'
  | 'file_references'
  | 'native_tools'
  | 'effort_changes'
  | 'stored_prompts'
  | 'context_length'
  | 'output_limit'
  | 'thinking_room'
  | 'require_parameters'
  | 'quantization'
  | 'max_price';

export interface HardFilter {
  /** Why a candidate does not pass; undefined: it does. */
  readonly objection: (candidate: Candidate, demanded: Demanded) => FilterName | undefined;
  /** Returns demands that depend on the candidates that are left. Absent: none does. */
  readonly prepared?: (candidates: readonly Candidate[], demanded: Demanded) => Demanded;
  /** Returns a request that some candidate meets, and its losses. undefined: the request stays. Absent: always. */
  readonly relaxed?: (
    candidates: readonly Candidate[],
    demanded: Demanded,
  ) => Served<InferenceRequest> | undefined;
}

/** The region in which requests come in: there is one. */
const region = 'global';

const passes = (
  name: FilterName,
  isMet: (candidate: Candidate, demanded: Demanded) => boolean,
): HardFilter => ({
  objection: (candidate, demanded) => (isMet(candidate, demanded) ? undefined : name),
});

const guardrail = (names: Readonly<Partial<Record<string, FilterName>>>): HardFilter => ({
  objection(candidate, { guardrails }) {
    const objection = objectionTo(guardrails, policyCandidate(candidate));
    return objection === undefined ? undefined : names[objection];
  },
});

/** Applied in this order: the first filter that leaves no endpoint is the reason. */
export const hardFilters: readonly HardFilter[] = [
  passes('endpoint_kind', ({ endpoint: { outputModalities } }, { request }) =>
    outputModalities.some(answering(request)),
  ),
  passes('deprecated', ({ model }, { now }) => !isOver(model, now)),
  passes('disabled', ({ endpoint }) => !endpoint.isHidden),
  passes('service_tier', ({ endpoint, model }, demanded) => isTierIn(endpoint, model, demanded)),
  guardrail({ region: 'data_region' }),
  guardrail({ model: 'guardrail_models' }),
  guardrail({ provider: 'guardrail_providers' }),
  passes('allowed_providers', ({ endpoint }, { preferences: { only, ignore } }) => {
    if (only && !only.some((name) => isNamed(endpoint, name))) return false;
    return !ignore.some((name) => isNamed(endpoint, name));
  }),
  guardrail({ retention: 'data_policy:zdr' }),
  passes(
    'data_policy:zdr',
    ({ endpoint }, { preferences }) =>
      !preferences.demandsZeroRetention || !endpoint.dataPolicy.retains,
  ),
  guardrail({ training: 'data_policy:training', publication: 'data_policy:training' }),
  passes('data_policy:training', ({ endpoint: { dataPolicy } }, { preferences }) => {
    return !preferences.deniesDataCollection || !(dataPolicy.retains || dataPolicy.trains);
  }),
  passes(
    'distillable',
    ({ model }, { preferences }) =>
      !preferences.demandsDistillable || model.details.isDistillable === true,
  ),
  passes('input_modalities', ({ endpoint }, { modalities }) =>
    modalities.every((one) => endpoint.inputModalities.includes(one)),
  ),
  passes(
    'output_modalities',
    ({ endpoint }, { request: { options } }) =>
      options?.modalities?.every((one) => endpoint.outputModalities.includes(one)) ?? true,
  ),
  {
    objection({ endpoint }, { request }) {
      const gap = embeddingGap(endpoint.endpoint, request);
      return gap && (`embedding_${gap}` as const);
    },
  },
  passes('file_references', ({ endpoint }, { request }) => canSay(endpoint.endpoint, request)),
  {
    ...passes('native_tools', ({ endpoint }, { request }) => canRun(endpoint.endpoint, request)),
    relaxed: (candidates, { request }) => servedTools(candidates, request),
  },
  passes(
    'effort_changes',
    ({ endpoint }, { request }) => canChangeEffort(endpoint.endpoint) || !changesEffort(request),
  ),
  {
    ...passes(
      'context_length',
      (candidate, demanded) => isFitting(candidate, demanded) || isShortened(candidate, demanded),
    ),
    prepared: withCompressedWindow,
  },
  {
    ...passes(
      'output_limit',
      (candidate, { request }) => (request.maxOutputTokens ?? 0) <= outputTokensMaxOf(candidate),
    ),
    relaxed: (candidates, { request, settingsAreWishes }) =>
      settingsAreWishes ? withLoweredLimit(candidates, request) : undefined,
  },
  passes('thinking_room', (candidate, { request }) => {
    const limit = request.maxOutputTokens ?? outputTokensUnasked(candidate) ?? Infinity;
    return budgetedOutputTokensMin(candidate.endpoint.endpoint, request) <= limit;
  }),
  passes(
    'require_parameters',
    ({ endpoint }, { preferences, required, request }) =>
      required.every((name) => endpoint.supportedParameters.has(name)) &&
      (!preferences.requiresParameters || takesPrompt(endpoint, request)),
  ),
  passes('stored_prompts', ({ endpoint }, { request }) => takesPrompt(endpoint, request)),
  passes(
    'quantization',
    ({ endpoint }, { preferences: { quantizations } }) =>
      quantizations?.includes(endpoint.quantization) ?? true,
  ),
  passes(
    'max_price',
    ({ endpoint, expectedPrices = endpoint.prices }, { preferences: { priceMax } }) =>
      priceMax === undefined || isWithin(expectedPrices, priceMax),
  ),
];

/** Returns the test of the modalities that answer a request. */
function answering({
  embedding,
  ranking,
}: InferenceRequest): (modality: OutputModality) => boolean {
  if (embedding) return (modality) => modality === 'embeddings';
  return ranking ? (modality) => modality === 'rerank' : isOfResponse;
}

/** Returns true for text and images: embeddings, ranks and speech have other addresses. */
function isOfResponse(modality: OutputModality): boolean {
  return modality === 'text' || modality === 'image';
}

/** Returns true if the last day of the model, in UTC, is over. */
export function isOver({ details }: Model, now: () => Date): boolean {
  const { expirationDate } = details;
  return expirationDate !== undefined && expirationDate < now().toISOString().slice(0, dayLength);
}

const dayLength = '2026-01-31'.length;

function changesEffort({ items }: InferenceRequest): boolean {
  return items.some(
    (item) => item.type === 'native' && item.item['type'] === 'configuration_update',
  );
}

function takesPrompt({ endpoint }: CatalogEndpoint, { prompt }: InferenceRequest): boolean {
  return prompt === undefined || canFillPrompts(endpoint);
}

/** `base` names a provider by slug or display name, `base/variant` one of its endpoints. */
export function isNamed({ endpoint, tag, providerName }: CatalogEndpoint, name: string): boolean {
  return (
    name === endpoint.provider || name === tag.toLowerCase() || name === providerName.toLowerCase()
  );
}

function isTierIn(endpoint: CatalogEndpoint, model: Model, demanded: Demanded): boolean {
  const { preferences, admits } = demanded;
  const { tier } = endpoint;
  if (tier !== 'default') {
    const tag = endpoint.tag.toLowerCase();
    if (preferences.only?.includes(tag) || preferences.order?.includes(tag)) return true;
  }
  if (preferences.tier === 'flex')
    return model.endpoints.some((one) => one.tier === 'flex')
      ? tier === 'flex'
      : tier === 'default';
  const isOpen = !preferences.order && !preferences.isDefaultTierOnly;
  if (isOpen && tier === admits) return true;
  return tiersOf[preferences.tier ?? 'default'].includes(tier);
}

const tiersOf: Readonly<Record<Exclude<ServiceTier, 'flex'>, readonly ServiceTier[]>> = {
  default: ['default'],
  priority: ['default', 'priority'],
  ultrafast: ['default', 'priority', 'ultrafast'],
};

const policyCandidates = new WeakMap<CatalogEndpoint, PolicyCandidate>();

/** Facts of an endpoint that guardrails check: always the same for one endpoint. */
export function policyCandidate(candidate: Candidate): PolicyCandidate {
  const known = policyCandidates.get(candidate.endpoint);
  if (known) return known;
  const made = asPolicyCandidate(candidate);
  policyCandidates.set(candidate.endpoint, made);
  return made;
}

function asPolicyCandidate({ model, endpoint }: Candidate): PolicyCandidate {
  const { prices } = endpoint;
  const author = model.id.slice(0, model.id.indexOf('/')).replaceAll('-', '');
  return {
    provider: endpoint.endpoint.provider,
    model: model.canonicalSlug,
    family: modelFamilies.find((family) => family === author) ?? 'other',
    isFree: isFree(prices) && (prices.tiers ?? []).every((tier) => isFree(tier.prices)),
    ...endpoint.dataPolicy,
    region,
  };
}

function isFree({ inputTokenAttoUsd, outputTokenAttoUsd }: PlainPrices): boolean {
  return inputTokenAttoUsd === 0n && outputTokenAttoUsd === 0n;
}

function isWithin(prices: PlainPrices, caps: PriceCaps): boolean {
  const pairs: readonly (readonly [bigint | undefined, bigint | undefined])[] = [
    [prices.inputTokenAttoUsd, caps.promptAttoUsd],
    [prices.outputTokenAttoUsd, caps.completionAttoUsd],
    [prices.imageAttoUsd, caps.imageAttoUsd],
    [prices.audioInputTokenAttoUsd, caps.audioAttoUsd],
    [prices.requestAttoUsd, caps.requestAttoUsd],
  ];
  return pairs.every(([price = 0n, cap]) => cap === undefined || price <= cap);
}
