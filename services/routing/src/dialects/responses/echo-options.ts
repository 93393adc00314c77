import type { ModelOptions } from '@sluice/inference';
import { type Fields, isObject } from './fields.ts';
import type { RequestEcho } from '../../request/call.ts';

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

/** Returns the options of a request that the response repeats. */
export function echoOptions(body: Fields, options: ModelOptions): OptionsEcho {
  const { reasoning, thoughtsContext } = options;
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
    text: echoText(body.value('text')),
    prompt: body.value('prompt') ?? null,
    prompt_cache_key: options.promptCacheKey ?? null,
    prompt_cache_options: options.hasExplicitCacheOnly
      ? { mode: 'explicit', ttl: options.promptCacheTtl ?? null }
      : null,
  };
}

const plainText = { format: { type: 'text' } };

function echoText(text: unknown): object {
  if (!isObject(text)) return plainText;
  const { format, verbosity } = text;
  return { format: format ?? plainText.format, ...(verbosity != null && { verbosity }) };
}
