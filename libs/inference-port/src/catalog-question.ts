import type { Principal } from './principal.ts';

/**
 * The views of the catalog. `callable-model` answers 200 for each name that a request may give as its model, also for
 * a model that is not listed. `usable-models` and `user-models` are the models that the key may be used for, as `GET
 * /models` and as `GET /models/user`.
 */
export const catalogViews = [
  'models',
  'usable-models',
  'user-models',
  'models-count',
  'model',
  'retrieved-model',
  'callable-model',
  'endpoints',
  'embedding-models',
  'zero-retention-endpoints',
  'providers',
] as const;
export type CatalogView = (typeof catalogViews)[number];

/** Forms of the models beside that of the service. */
export const catalogFormats = ['anthropic'] as const;
export type CatalogFormat = (typeof catalogFormats)[number];

/** One question about the catalog. */
export interface CatalogQuestion {
  readonly view: CatalogView;
  /** The parameters by name, as text: those of the query, and `author` and `slug`, or the whole `model`, of a path. */
  readonly parameters: Readonly<Record<string, string>>;
  /** True if the answer shows measured values: the client has a key. */
  readonly reportsMeasured: boolean;
  /** The form of models and errors, in lists of models and for one of them. That of the service when absent. */
  readonly format?: CatalogFormat;
  /** Whose key asks, where that decides what is shown. */
  readonly principal?: Principal;
}

export const catalogSorts = [
  'most-popular',
  'newest',
  'top-weekly',
  'pricing-low-to-high',
  'pricing-high-to-low',
  'context-high-to-low',
  'throughput-high-to-low',
  'latency-low-to-high',
  'intelligence-high-to-low',
  'coding-high-to-low',
  'agentic-high-to-low',
  'design-arena-elo-high-to-low',
] as const;
export type CatalogSort = (typeof catalogSorts)[number];

export const catalogCategories = [
  'programming',
  'roleplay',
  'marketing',
  'marketing/seo',
  'technology',
  'science',
  'translation',
  'legal',
  'finance',
  'health',
  'trivia',
  'academia',
] as const;

/** The parameters of a request that a model may support. */
export const modelParameters = [
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'top_a',
  'frequency_penalty',
  'presence_penalty',
  'repetition_penalty',
  'max_tokens',
  'max_completion_tokens',
  'logit_bias',
  'logprobs',
  'top_logprobs',
  'prediction',
  'seed',
  'response_format',
  'structured_outputs',
  'stop',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'include_reasoning',
  'reasoning',
  'reasoning_effort',
  'web_search_options',
  'verbosity',
] as const;
