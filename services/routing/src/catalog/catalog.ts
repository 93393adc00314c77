import type { Endpoint } from '@sluice/providers';
import type { Prices } from '@sluice/inference';

/** A model as clients name it, and everything that can answer for it, in the order of trying. */
export interface Model {
  /** `author/name` */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Unix seconds. */
  readonly created: number;
  /** undefined: not known. */
  readonly contextLength: number | undefined;
  readonly outputTokensMax: number | undefined;
  /** Thinks before it answers: gets more time to its first token. */
  readonly isReasoning: boolean;
  /** Answers, but is not listed. */
  readonly isHidden: boolean;
  /** At least one, at most 10. */
  readonly endpoints: readonly PricedEndpoint[];
}

export interface PricedEndpoint {
  readonly endpoint: Endpoint;
  readonly prices: Prices;
  readonly pricing: Pricing;
}

/**
 * Prices as the catalogue and the public list write them: USD per token, request or picture, decimal. One
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
  /** Per token of pictures in the input and in the output. */
  readonly image_token?: string | undefined;
  readonly image_output?: string | undefined;
  /** Per token of audio in the input, in the provider's cache and in the output. */
  readonly audio?: string | undefined;
  readonly input_audio_cache?: string | undefined;
  readonly audio_output?: string | undefined;
}

export interface Catalog {
  /** undefined: nobody knows this model. */
  find(id: string): Model | undefined;
  /** What `GET /models` shows, in the order of the catalogue. */
  readonly listed: readonly Model[];
}

/** Answers for every model of one author: a provider whose models are not listed one by one. */
export interface OpenAuthor {
  /** `ollama`, for `ollama/<anything>`. */
  readonly author: string;
  model(name: string): Model;
}

export function createCatalog(
  models: readonly Model[],
  openAuthors: readonly OpenAuthor[],
): Catalog {
  const byId = new Map(models.map((model) => [model.id, model]));
  const byAuthor = new Map(openAuthors.map((open) => [open.author, open]));
  return {
    find(id) {
      const known = byId.get(id);
      if (known) return known;
      const [, author = '', name = ''] = slugPattern.exec(id) ?? [];
      return byAuthor.get(author)?.model(name);
    },
    listed: models.filter((model) => !model.isHidden),
  };
}

const slugPattern = /^([a-z0-9-]{1,64})\/([A-Za-z0-9][A-Za-z0-9._:/-]{0,127})$/;
