import type { Endpoint } from '@sluice/providers';
import type { Prices, ReasoningEffort } from '@sluice/inference';
import { type RouterModels, routerModelsOf } from './router-models.ts';
import { type ToolPrices, toolPricesOf } from './tool-prices.ts';

export const inputModalities = ['text', 'image', 'file', 'audio', 'video'] as const;
export type InputModality = (typeof inputModalities)[number];

export const outputModalities = [
  'text',
  'image',
  'embeddings',
  'audio',
  'video',
  'rerank',
  'speech',
  'transcription',
] as const;
export type OutputModality = (typeof outputModalities)[number];

export const serviceTiers = ['default', 'flex', 'priority', 'ultrafast'] as const;
export type ServiceTier = (typeof serviceTiers)[number];

export const quantizations = [
  'int4',
  'int8',
  'fp4',
  'mxfp4',
  'nvfp4',
  'fp6',
  'fp8',
  'mxfp8',
  'fp16',
  'bf16',
  'fp32',
  'unknown',
] as const;
export type Quantization = (typeof quantizations)[number];

/** The most first, as the lists have them. */
export const reasoningEfforts = [
  'max',
  'xhigh',
  'high',
  'medium',
  'low',
  'minimal',
  'none',
] as const satisfies readonly ReasoningEffort[];

export type DataRegion = 'global' | 'europe' | 'us';

/** A model as clients name it, and everything that can answer for it. */
export interface Model {
  /** `author/name` or `author/name:variant`. */
  readonly id: string;
  /** Permanent; equals the id where there is no dated one. */
  readonly canonicalSlug: string;
  readonly name: string;
  readonly description: string;
  /** Unix seconds. */
  readonly created: number;
  /** The largest of its endpoints; undefined: not known. */
  readonly contextLength: number | undefined;
  readonly outputTokensMax: number | undefined;
  /** Thinks before it answers: gets more time to its first token. */
  readonly isReasoning: boolean;
  /** If undefined, the model does not reason, or its reasoning options are not known. */
  readonly reasoning: ReasoningAbility | undefined;
  /** Answers, but is not listed. */
  readonly isHidden: boolean;
  readonly inputModalities: readonly InputModality[];
  readonly outputModalities: readonly OutputModality[];
  readonly details: ModelDetails;
  /** Other names of it; one that begins with ~ means the newest of those that have it. */
  readonly aliases: readonly string[];
  /** At least one. */
  readonly endpoints: readonly CatalogEndpoint[];
}

/** The ways to configure the reasoning of a model. */
export interface ReasoningAbility {
  readonly isMandatory: boolean;
  /** The most first; undefined: all of them. */
  readonly efforts: readonly ReasoningEffort[] | undefined;
  readonly defaultEffort: ReasoningEffort | undefined;
  readonly isDefaultOn: boolean;
  /** Takes a number of tokens instead of an effort. */
  readonly takesBudget: boolean;
}

/** Facts of a model that the lists show and that decide nothing. A field is absent if the fact is not known. */
export interface ModelDetails {
  readonly tokenizer?: string;
  readonly instructType?: string;
  readonly huggingFaceId?: string;
  /** `2026-01-31`. */
  readonly knowledgeCutoff?: string;
  readonly expirationDate?: string;
  /** The author of the model allows training on its output. */
  readonly isDistillable?: boolean;
  readonly defaultParameters?: Readonly<Record<string, number>>;
  readonly categories?: readonly string[];
  readonly benchmarks?: Readonly<Record<string, unknown>>;
}

/** One model at one provider in one variant: region, precision, service tier. */
export interface CatalogEndpoint {
  /** A UUID: the same for the same model, provider, upstream name and tag in every process. */
  readonly id: string;
  readonly endpoint: Endpoint;
  /** The prices outside of the hours with other prices. */
  readonly prices: Prices;
  /** Returns the prices at an instant. If absent, the prices are the same at any time. */
  readonly pricesAt?: (instant: Date) => Prices;
  readonly pricing: Pricing;
  /** `provider`, `provider/region` or `provider/tier`. */
  readonly tag: string;
  readonly providerName: string;
  readonly tier: ServiceTier;
  readonly quantization: Quantization;
  /** Tokens; undefined: not known, or no limit of its own. */
  readonly contextLength: number | undefined;
  readonly promptTokensMax: number | undefined;
  readonly outputTokensMax: number | undefined;
  readonly inputModalities: readonly InputModality[];
  readonly outputModalities: readonly OutputModality[];
  /** Names of parameters that it takes, as `GET /models` lists them. */
  readonly supportedParameters: ReadonlySet<string>;
  readonly dataPolicy: DataPolicy;
  readonly dataRegion: DataRegion;
  readonly isHidden: boolean;
  /** The platform has no credential for it: only accounts with one of their own are served. */
  readonly isByokOnly: boolean;
  readonly isModerated: boolean;
  readonly cachesImplicitly: boolean;
}

/** The provider's use of prompts. */
export interface DataPolicy {
  /** Keeps them beyond the answer. */
  readonly retains: boolean;
  readonly trains: boolean;
  readonly publishes: boolean;
}

/**
 * Prices as the catalog and the public list write them: USD per token, request or picture, decimal. One
 * that is absent is that of plain input or output; of a request or a picture, nothing.
 */
export interface Pricing {
  readonly prompt: string;
  readonly completion: string;
  readonly request?: string | undefined;
  readonly input_cache_read?: string | undefined;
  readonly input_cache_write?: string | undefined;
  readonly input_cache_write_1h?: string | undefined;
  readonly internal_reasoning?: string | undefined;
  /** Per picture of the input, beside its tokens. */
  readonly image?: string | undefined;
  /** Per search unit of a reranker, beside its tokens. */
  readonly search_unit?: string | undefined;
  /** Per token of pictures in the input and in the output. */
  readonly image_token?: string | undefined;
  readonly image_output?: string | undefined;
  /** Per token of audio in the input, in the provider's cache and in the output. */
  readonly audio?: string | undefined;
  readonly input_audio_cache?: string | undefined;
  readonly audio_output?: string | undefined;
  /** The price of a web search that the provider runs. */
  readonly web_search?: string | undefined;
  /** From 0 to 1: of all of these prices this share is not charged. */
  readonly discount?: number | undefined;
  /** Each where all its conditions are met; of one price, the last such entry counts. */
  readonly overrides?: readonly PriceOverride[] | undefined;
}

/** Other prices on conditions; one without is always met. */
export interface PriceOverride {
  /** More tokens of input than this. */
  readonly min_prompt_tokens?: number | undefined;
  /** `HHMM` of UTC: from the one on, before the other, also over midnight. Both or none. */
  readonly utc_start?: string | undefined;
  readonly utc_end?: string | undefined;
  /** Days of UTC, 0 for Sunday. */
  readonly utc_days?: readonly number[] | undefined;
  readonly prompt?: string | undefined;
  readonly completion?: string | undefined;
  readonly audio?: string | undefined;
  readonly input_audio_cache?: string | undefined;
  readonly input_cache_read?: string | undefined;
  readonly input_cache_write?: string | undefined;
  readonly input_cache_write_1h?: string | undefined;
}

export interface Catalog {
  /** undefined for an unknown model. */
  find(id: string): Model | undefined;
  /** The models that `GET /models` shows, in the order of the catalog. */
  readonly listed: readonly Model[];
  readonly providers: readonly CatalogProvider[];
  readonly toolPrices: ToolPrices;
  readonly routers: RouterModels;
}

/** Whose endpoints there are. */
export interface CatalogProvider extends ProviderFacts {
  readonly slug: string;
  readonly name: string;
}

export interface ProviderFacts {
  readonly privacyPolicyUrl?: string | undefined;
  readonly termsOfServiceUrl?: string | undefined;
  readonly statusPageUrl?: string | undefined;
  /** Country codes. */
  readonly headquarters?: string | undefined;
  readonly datacenters?: readonly string[] | undefined;
}

/** Answers for every model of one author: a provider whose models are not listed one by one. */
export interface OpenAuthor {
  /** Begins the ids of its models, as `ollama` in `ollama/<name>`. */
  readonly author: string;
  /** Returns undefined if the author has no such model. */
  model(name: string): Model | undefined;
}

export function createCatalog(
  models: readonly Model[],
  openAuthors: readonly OpenAuthor[],
  providers: readonly CatalogProvider[] = [],
  toolPrices: ToolPrices = toolPricesOf(),
  routers: RouterModels = routerModelsOf(),
): Catalog {
  const byId = new Map(models.map((model) => [model.id, model]));
  const byAlias = aliasesOf(models);
  const byAuthor = new Map(openAuthors.map((open) => [open.author, open]));
  return {
    find(id) {
      const known = byId.get(id) ?? byAlias.get(id);
      if (known) return known;
      const [, author = '', name = ''] = slugPattern.exec(id) ?? [];
      return byAuthor.get(author)?.model(name);
    },
    listed: models.filter((model) => !model.isHidden),
    providers,
    toolPrices,
    routers,
  };
}

/** The newest visible one has a name that several have. */
function aliasesOf(models: readonly Model[]): ReadonlyMap<string, Model> {
  const found = new Map<string, Model>();
  for (const model of models)
    for (const alias of model.aliases) {
      const before = found.get(alias);
      const isLatest = alias.startsWith('~') && model.isHidden;
      if (!isLatest && (!before || before.created < model.created)) found.set(alias, model);
    }
  return found;
}

const slugPattern = /^([a-z0-9-]{1,64})\/([A-Za-z0-9][A-Za-z0-9._:/-]{0,127})$/;
