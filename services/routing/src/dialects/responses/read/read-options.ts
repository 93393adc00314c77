import { isServerTool, type ResponsesBody } from '@sluice/client-schemas';
import type { ModelOptions, ReasoningOptions, StructuredFormat, Tool } from '@sluice/inference';
import { toolCallsMax } from '../../body/limits.ts';
import { sentTier } from '../../service-fields/tier.ts';
import { withoutAbsent } from '../../service-fields/without-absent.ts';
import { knownIncludes } from './unknown-words.ts';

const encryptedReasoning = 'reasoning.encrypted_content';

/** Reads the options beside the input. Only options that were set are present. */
export function readOptions(body: ResponsesBody, tools: readonly Tool[]): ModelOptions {
  const include = knownIncludes(body);
  const forUpstream = include.filter((word) => word !== encryptedReasoning);
  const { cache_control: cache, prompt_cache_options: cacheOptions } = body;
  return withoutAbsent({
    topK: body.top_k ?? undefined,
    // Zero has no effect, and some upstreams refuse the field.
    frequencyPenalty: body.frequency_penalty || undefined,
    presencePenalty: body.presence_penalty || undefined,
    topLogprobs: body.top_logprobs || undefined,
    reasoning: readReasoning(body),
    thoughtsContext: body.reasoning?.context ?? undefined,
    format: readFormat(body),
    verbosity: body.text?.verbosity ?? undefined,
    modalities: body.modalities?.includes('image') ? [...new Set(body.modalities)] : undefined,
    imageConfig: readImageConfig(body),
    serviceTier: sentTier(body.service_tier),
    cache: cache ? { ttl: cache.ttl ?? '5m' } : undefined,
    promptCacheKey: body.prompt_cache_key ?? undefined,
    hasExplicitCacheOnly: cacheOptions ? true : undefined,
    promptCacheTtl: cacheOptions?.ttl ?? undefined,
    nativeCallsMax: nativeCallsMax(body, tools),
    includesEncryptedReasoning: include.includes(encryptedReasoning) ? true : undefined,
    include: forUpstream.length > 0 ? forUpstream : undefined,
  });
}

function readReasoning({ reasoning }: ResponsesBody): ReasoningOptions | undefined {
  if (!reasoning) return undefined;
  const options = withoutAbsent<ReasoningOptions>({
    effort: reasoning.effort ?? undefined,
    tokensMax: reasoning.max_tokens ?? undefined,
    isEnabled: reasoning.enabled ?? undefined,
    summary: reasoning.summary ?? undefined,
  });
  return Object.keys(options).length === 0 ? undefined : options;
}

function readFormat({ text }: ResponsesBody): StructuredFormat | undefined {
  const format = text?.format;
  if (format?.type === 'json_object') return { type: 'json-object' };
  if (format?.type !== 'json_schema') return undefined;
  const { name, description, schema, strict } = format;
  return {
    type: 'json-schema',
    name,
    description: description ?? undefined,
    schema,
    strict: strict ?? undefined,
  };
}

function readImageConfig({ image_config: config }: ResponsesBody): ModelOptions['imageConfig'] {
  if (!config) return undefined;
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null));
}

/** Returns `max_tool_calls`, clamped to its maximum. */
export function readCallsMax({ max_tool_calls: asked }: ResponsesBody): number | undefined {
  return typeof asked === 'number' ? Math.min(asked, toolCallsMax) : undefined;
}

/** Returns the bound for tools that the provider runs. */
function nativeCallsMax(body: ResponsesBody, tools: readonly Tool[]): number | undefined {
  const isAnyNative = tools.some(
    (tool) => tool.type === 'native' && !isServerTool(tool.tool['type']),
  );
  return isAnyNative ? readCallsMax(body) : undefined;
}
