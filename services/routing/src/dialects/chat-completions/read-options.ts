import type { ChatBody } from '@sluice/client-schemas';
import type { ModelOptions, ReasoningOptions, StructuredFormat } from '@sluice/inference';
import { withoutAbsent } from '../service-fields/without-absent.ts';
import { sentTier } from '../service-fields/tier.ts';

/** Reads the options beside the messages. Only options that were set are present. */
export function readOptions(body: ChatBody): ModelOptions {
  const { cache_control: cache, stop } = body;
  const stops = typeof stop === 'string' ? [stop] : (stop ?? []);
  const reasoning = readReasoning(body);
  const shows = body.reasoning?.exclude !== true && reasoning?.isEnabled !== false;
  return withoutAbsent<ModelOptions>({
    topK: body.top_k ?? undefined,
    topA: body.top_a ?? undefined,
    minP: body.min_p ?? undefined,
    // Without effect, and some upstreams refuse the field.
    frequencyPenalty: body.frequency_penalty || undefined,
    presencePenalty: body.presence_penalty || undefined,
    repetitionPenalty: body.repetition_penalty ?? undefined,
    seed: body.seed ?? undefined,
    stop: stops.length > 0 ? stops : undefined,
    logitBias: body.logit_bias ?? undefined,
    topLogprobs: body.logprobs === true ? (body.top_logprobs ?? 0) : undefined,
    prediction: body.prediction ?? undefined,
    reasoning,
    // Thoughts go back with the next request, so their maker must be able to read them.
    includesEncryptedReasoning: reasoning && shows ? true : undefined,
    format: readFormat(body),
    verbosity: body.verbosity ?? undefined,
    modalities: readModalities(body),
    imageConfig: readImageConfig(body),
    serviceTier: sentTier(body.service_tier),
    cache: cache ? { ttl: cache.ttl ?? '5m' } : undefined,
    promptCacheKey: body.prompt_cache_key ?? undefined,
  });
}

function readReasoning(body: ChatBody): ReasoningOptions | undefined {
  const options = withoutAbsent<ReasoningOptions>({
    effort: body.reasoning?.effort ?? body.reasoning_effort ?? undefined,
    tokensMax: body.reasoning?.max_tokens ?? undefined,
    isEnabled: body.reasoning?.enabled ?? undefined,
    summary: body.reasoning?.summary ?? undefined,
  });
  return Object.keys(options).length === 0 ? undefined : options;
}

function readFormat({ response_format: format }: ChatBody): StructuredFormat | undefined {
  if (format?.type === 'json_object') {
    const { schema } = format;
    if (!schema) return { type: 'json-object' };
    const [name, description, strict] = ['answer', undefined, undefined] as const;
    return { type: 'json-schema', name, description, schema, strict };
  }
  if (format?.type !== 'json_schema') return undefined;
  const { name, description, schema, strict } = format.json_schema;
  return {
    type: 'json-schema',
    name,
    description: description ?? undefined,
    schema: schema ?? {},
    strict: strict ?? undefined,
  };
}

function readModalities({ modalities }: ChatBody): ModelOptions['modalities'] {
  if (!modalities?.includes('image')) return undefined;
  return [...new Set(modalities)].filter((modality) => modality !== 'audio');
}

function readImageConfig({ image_config: config }: ChatBody): ModelOptions['imageConfig'] {
  if (!config) return undefined;
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null));
}
