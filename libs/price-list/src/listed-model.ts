/** A model as a provider offers it, with its list price. */
export interface ListedModel {
  /** The provider's name of the model. */
  readonly name: string;
  /** The name that people read; undefined if the list has none. */
  readonly title: string | undefined;
  /** In tokens; undefined if the list does not say. */
  readonly contextLength: number | undefined;
  readonly pricing: ListedPricing;
}

/** USD as decimal text: per token, request or search, by the names that a catalog has for them. */
export interface ListedPricing {
  readonly prompt: string;
  readonly completion: string;
  readonly request?: string;
  readonly input_cache_read?: string;
  readonly input_cache_write?: string;
  readonly input_cache_write_1h?: string;
  readonly internal_reasoning?: string;
  readonly image_token?: string;
  readonly image_output?: string;
  readonly audio?: string;
  readonly input_audio_cache?: string;
  readonly audio_output?: string;
  readonly web_search?: string;
  readonly overrides?: readonly ListedOverride[];
}

/** Other prices above so many tokens of input, or from one time of the day (UTC, `HHMM`) until before another. */
export interface ListedOverride {
  readonly min_prompt_tokens?: number;
  readonly utc_start?: string;
  readonly utc_end?: string;
  readonly prompt?: string;
  readonly completion?: string;
  readonly audio?: string;
  readonly input_audio_cache?: string;
  readonly input_cache_read?: string;
  readonly input_cache_write?: string;
  readonly input_cache_write_1h?: string;
}
