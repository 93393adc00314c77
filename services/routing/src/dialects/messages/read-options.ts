import type { MessagesBody } from '@sluice/client-schemas';
import type { ModelOptions, ReasoningOptions, StructuredFormat } from '@sluice/inference';
import { sentTier } from '../service-fields/tier.ts';
import { withoutAbsent } from '../service-fields/without-absent.ts';
import { isStrictSchema } from './strict-schema.ts';

/** Reads the options beside the messages. Only options that were set are present. */
export function readOptions(body: MessagesBody): ModelOptions {
  const { cache_control: cache, stop_sequences: stops } = body;
  const reasoning = readReasoning(body);
  return withoutAbsent<ModelOptions>({
    topK: setOf(body.top_k),
    stop: stops && stops.length > 0 ? stops : undefined,
    reasoning,
    // Thoughts go back with the next request, so their maker must be able to read them.
    includesEncryptedReasoning: reasoning && reasoning.isEnabled !== false ? true : undefined,
    format: readFormat(body),
    verbosity: readVerbosity(body),
    serviceTier: sentTier(tierWord(body)),
    cache: cache ? { ttl: cache.ttl ?? '5m' } : undefined,
    promptCacheKey: body.prompt_cache_key ?? undefined,
  });
}

/** Returns undefined for a sampling setting that is left to the model. */
export function setOf(value: number | null | undefined): number | undefined {
  return value === null || value === -1 ? undefined : value;
}

/** Returns the tier in the words of the other dialects. */
export function tierWord({ service_tier: tier, speed }: MessagesBody) {
  if (speed === 'fast') return 'fast';
  return tier === 'standard_only' ? 'default' : tier;
}

/** An effort alone does not make a model think. It says how much the model writes. */
function readVerbosity({ thinking, output_config: config }: MessagesBody) {
  const isThinking = thinking && thinking.type !== 'disabled';
  return isThinking ? undefined : (config?.effort ?? undefined);
}

function readReasoning({ thinking, output_config: config }: MessagesBody) {
  if (!thinking) return undefined;
  if (thinking.type === 'disabled') return { isEnabled: false } satisfies ReasoningOptions;
  const effort = config?.effort ?? undefined;
  const isHidden = thinking.display === 'omitted' ? true : undefined;
  if (thinking.type === 'enabled')
    return withoutAbsent<ReasoningOptions>({ effort, tokensMax: thinking.budget_tokens, isHidden });
  const isAdaptive = effort === undefined ? true : undefined;
  return withoutAbsent<ReasoningOptions>({ effort, isEnabled: true, isAdaptive, isHidden });
}

function readFormat(body: MessagesBody): StructuredFormat | undefined {
  const format = body.output_config?.format ?? body.output_format;
  if (!format) return undefined;
  const { schema } = format;
  const [name, description] = ['answer', undefined] as const;
  const strict = isStrictSchema(schema) || undefined;
  return { type: 'json-schema', name, description, schema, strict };
}
