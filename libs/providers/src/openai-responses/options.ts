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
  const { reasoning, thoughtsContext, format, verbosity, include = [] } = options;
  const included = new Set([
    ...include,
    // Without this value the API returns no probabilities.
    ...(options.topLogprobs === undefined ? [] : [logprobsWord]),
    // Without this value the items of searches lack the pages.
    ...(searches ? ['web_search_call.action.sources'] : []),
    ...(options.includesEncryptedReasoning ? ['reasoning.encrypted_content'] : []),
  ]);
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
    ...(included.size > 0 && { include: [...included] }),
    prompt_cache_key: options.promptCacheKey,
    ...(options.hasExplicitCacheOnly && {
      prompt_cache_options: { mode: 'explicit', ttl: options.promptCacheTtl },
    }),
    safety_identifier: options.endUser ?? options.accountUser,
    service_tier: wireTier(options.serviceTier),
  };
}

function wireFormat(format: StructuredFormat): object {
  if (format.type === 'json-object') return { type: 'json_object' };
  const { name, description, schema, strict } = format;
  return { type: 'json_schema', name, description, schema, strict };
}
