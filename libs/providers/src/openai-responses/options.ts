import type { ModelOptions, StructuredFormat } from '@sluice/inference';
import type { Endpoint } from '../endpoint.ts';
import { effortOf } from '../reasoning-effort.ts';
import { wireTier, wireVerbosity } from '../wire-scales.ts';

interface WireLimits {
  readonly outputTokensMax: number | undefined;
  readonly efforts: Endpoint['efforts'];
  /** The provider searches the web for the request. */
  readonly searches: boolean;
}

/** The value of `include` that asks for the probabilities of the answer's tokens. */
const logprobsWord = 'message.output_text.logprobs';

/** Returns the options of a request in the wire format. Omits each option that the client omitted. */
export function wireOptions(
  options: ModelOptions,
  { outputTokensMax, efforts, searches }: WireLimits,
): object {
  const { reasoning, thoughtsContext, format, verbosity } = options;
  const included = includedWords(options, searches);
  return {
    top_logprobs: options.topLogprobs,
    ...((reasoning || thoughtsContext) && {
      reasoning: {
        effort: effortOf(reasoning, { outputTokensMax, known: efforts }),
        summary: reasoning?.summary,
        context: thoughtsContext,
      },
    }),
    ...((format || verbosity) && {
      text: { ...(format && { format: wireFormat(format) }), verbosity: wireVerbosity(verbosity) },
    }),
    ...(included.length > 0 && { include: included }),
    prompt_cache_key: options.promptCacheKey,
    ...(options.hasExplicitCacheOnly && {
      prompt_cache_options: { mode: 'explicit', ttl: options.promptCacheTtl },
    }),
    safety_identifier: options.endUser ?? options.accountUser,
    service_tier: wireTier(options.serviceTier),
  };
}

/** Returns each value of `include` once. */
function includedWords(
  { include = [], topLogprobs, includesEncryptedReasoning }: ModelOptions,
  searches: boolean,
): readonly string[] {
  const words = [...include];
  // Without this value the API returns no probabilities.
  if (topLogprobs !== undefined) words.push(logprobsWord);
  // Without this value the items of searches lack the pages.
  if (searches) words.push('web_search_call.action.sources');
  if (includesEncryptedReasoning) words.push('reasoning.encrypted_content');
  return words.length < 2 ? words : [...new Set(words)];
}

function wireFormat(format: StructuredFormat): object {
  if (format.type === 'json-object') return { type: 'json_object' };
  const { name, description, schema, strict } = format;
  return { type: 'json_schema', name, description, schema, strict };
}
