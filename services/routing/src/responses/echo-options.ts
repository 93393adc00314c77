import type { ModelOptions } from '@sluice/inference';
import { type Fields, isObject } from './fields.ts';
import type { RequestEcho } from './request.ts';

type OptionsEcho = Pick<
  RequestEcho,
  | 'frequency_penalty'
  | 'presence_penalty'
  | 'top_logprobs'
  | 'reasoning'
  | 'text'
  | 'prompt'
  | 'prompt_cache_key'
  | 'prompt_cache_options'
>;

/** What the response repeats of the options that a request asked for. */
export function echoOptions(body: Fields, options: ModelOptions): OptionsEcho {
  const { reasoning, thoughtsContext } = options;
  const text = body.value('text');
  const { format, verbosity } = isObject(text) ? text : {};
  return {
    frequency_penalty: options.frequencyPenalty ?? null,
    presence_penalty: options.presencePenalty ?? null,
    top_logprobs: options.topLogprobs ?? 0,
    reasoning:
      reasoning || thoughtsContext
        ? {
            effort: reasoning?.effort ?? null,
            summary: reasoning?.summary ?? null,
            ...(thoughtsContext && { context: thoughtsContext }),
          }
        : null,
    text: { format: format ?? { type: 'text' }, ...(verbosity != null && { verbosity }) },
    prompt: body.value('prompt') ?? null,
    prompt_cache_key: options.promptCacheKey ?? null,
    prompt_cache_options: options.hasExplicitCacheOnly
      ? { mode: 'explicit', ttl: options.promptCacheTtl ?? null }
      : null,
  };
}
