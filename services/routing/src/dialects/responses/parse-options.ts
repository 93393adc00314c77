import type { ModelOptions, ReasoningOptions, StructuredFormat } from '@sluice/inference';
import { Fields } from './fields.ts';
import type { Issues } from './issues.ts';
import {
  descriptionCharactersMax,
  identifierCharactersMax,
  reasoningTokensMax,
  schemaCharactersMax,
} from './limits.ts';
import { checkJsonSchema } from './json-schema.ts';
import { imageSetting } from './image-setting.ts';
import { parseCacheControl } from './parse-cache.ts';

const efforts = ['max', 'xhigh', 'high', 'medium', 'low', 'minimal', 'none'] as const;
const verbosities = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
const tiers = ['auto', 'default', 'fast', 'flex', 'priority', 'scale', 'ultrafast'] as const;
const includes = [
  'code_interpreter_call.outputs',
  'computer_call_output.output.image_url',
  'file_search_call.results',
  'message.input_image.image_url',
  'message.output_text.logprobs',
  'reasoning.encrypted_content',
  'web_search_call.action.sources',
] as const;
const wordsMax = 32;
const encryptedReasoning = 'reasoning.encrypted_content';

/** Parses the options beside the input. Only options that were set are present. */
export function parseOptions(body: Fields, issues: Issues): ModelOptions {
  const text = parseText(body, issues);
  const include = parseInclude(body, issues);
  const topK = body.integer('top_k', { min: 0, max: Number.MAX_SAFE_INTEGER });
  // Zero asks for nothing, and some upstreams refuse the very name.
  const frequencyPenalty = body.number('frequency_penalty', { min: -2, max: 2 }) || undefined;
  const presencePenalty = body.number('presence_penalty', { min: -2, max: 2 }) || undefined;
  const topLogprobs = body.integer('top_logprobs', { min: 0, max: 20 }) || undefined;
  const { reasoning, thoughtsContext } = parseThinking(body, issues);
  const modalities = parseModalities(body, issues);
  const imageConfig = parseImageConfig(body, issues);
  const serviceTier = parseTier(body);
  const cache = parseCacheControl(body, issues);
  const promptCacheKey = body.string('prompt_cache_key', {
    charactersMax: identifierCharactersMax,
  });
  const { hasExplicitCacheOnly, promptCacheTtl } = parseCacheOptions(body, issues);
  return withoutAbsent({
    topK,
    frequencyPenalty,
    presencePenalty,
    topLogprobs,
    reasoning,
    thoughtsContext,
    format: text.format,
    verbosity: text.verbosity,
    modalities,
    imageConfig,
    serviceTier,
    cache,
    promptCacheKey,
    hasExplicitCacheOnly,
    promptCacheTtl,
    includesEncryptedReasoning: include?.includes(encryptedReasoning) ? true : undefined,
    include: include?.some((word) => word !== encryptedReasoning)
      ? include.filter((word) => word !== encryptedReasoning)
      : undefined,
  });
}

type Absent<Type> = { readonly [Name in keyof Type]: Type[Name] | undefined };

function withoutAbsent<Type extends object>(values: Absent<Type>): Type {
  const present: Partial<Type> = {};
  for (const name in values) {
    const value = values[name];
    if (value !== undefined) present[name] = value;
  }
  return present as Type;
}

function parseThinking(
  body: Fields,
  issues: Issues,
): Absent<Pick<ModelOptions, 'reasoning' | 'thoughtsContext'>> {
  const object = body.object('reasoning');
  if (!object) return { reasoning: undefined, thoughtsContext: undefined };
  const fields = new Fields(object, { path: 'reasoning', issues });
  const thoughtsContext = fields.oneOf('context', ['auto', 'all_turns', 'current_turn']);
  fields.oneOf('mode', ['standard', 'pro']);
  const options = withoutAbsent<ReasoningOptions>({
    effort: fields.oneOf('effort', efforts),
    tokensMax: fields.integer('max_tokens', { min: 0, max: reasoningTokensMax }),
    isEnabled: fields.boolean('enabled'),
    summary: fields.oneOf('summary', ['auto', 'concise', 'detailed']),
  });
  return {
    reasoning: Object.keys(options).length === 0 ? undefined : options,
    thoughtsContext,
  };
}

/** Parses the settings of images. The model gives them their meaning. */
function parseImageConfig(body: Fields, issues: Issues): ModelOptions['imageConfig'] {
  const config = body.object('image_config');
  if (!config) return undefined;
  const set = Object.entries(config).filter(([, value]) => value !== null);
  for (const [name, value] of set) imageSetting(value, { path: `image_config.${name}`, issues });
  return Object.fromEntries(set);
}

function parseText(
  body: Fields,
  issues: Issues,
): Pick<Absent<ModelOptions>, 'format' | 'verbosity'> {
  const text = body.object('text');
  if (!text) return { format: undefined, verbosity: undefined };
  const fields = new Fields(text, { path: 'text', issues });
  return {
    verbosity: fields.oneOf('verbosity', verbosities),
    format: parseFormat(fields, issues),
  };
}

const formatNamePattern = /^[A-Za-z0-9_-]{1,64}$/;

function parseFormat(text: Fields, issues: Issues): StructuredFormat | undefined {
  const format = text.object('format');
  if (!format) return undefined;
  const fields = new Fields(format, { path: 'text.format', issues });
  if (!fields.has('type')) return fields.refuse('type', 'is required');
  const type = fields.oneOf('type', ['text', 'json_object', 'json_schema']);
  if (type === 'json_object') return { type: 'json-object' };
  if (type !== 'json_schema') return undefined;
  const name = fields.requiredString('name');
  const description = fields.string('description', { charactersMax: descriptionCharactersMax });
  const strict = fields.boolean('strict');
  const schema = fields.object('schema');
  if (!fields.has('schema')) fields.refuse('schema', 'is required');
  if (name === undefined || schema === undefined) return undefined;
  if (!formatNamePattern.test(name))
    return fields.refuse('name', 'must be 1 to 64 of the characters A-Z a-z 0-9 _ -');
  const json = JSON.stringify(schema);
  if (json.length > schemaCharactersMax)
    return fields.refuse('schema', `must have at most ${String(schemaCharactersMax)} characters`);
  checkJsonSchema(schema, json, { path: fields.path('schema'), issues });
  return { type: 'json-schema', name, description, schema, strict };
}

/** `scale` is served by the default tier. */
function parseTier(body: Fields): ModelOptions['serviceTier'] {
  const tier = body.oneOf('service_tier', tiers);
  return tier === 'auto' || tier === 'default' || tier === 'scale' ? undefined : tier;
}

function parseModalities(body: Fields, issues: Issues): ModelOptions['modalities'] {
  const asked = words(body, 'modalities', ['text', 'image'], issues);
  return asked?.includes('image') ? asked : undefined;
}

function parseInclude(
  body: Fields,
  issues: Issues,
): readonly (typeof includes)[number][] | undefined {
  return words(body, 'include', includes, issues);
}

/** A list of words out of these, each once. */
function words<Word extends string>(
  body: Fields,
  name: string,
  known: readonly Word[],
  issues: Issues,
): readonly Word[] | undefined {
  const list = body.array(name, wordsMax);
  if (!list) return undefined;
  const found = list.map((each, index) => {
    const word = known.find((candidate) => candidate === each);
    if (word === undefined)
      issues.add(`${name}[${String(index)}]`, `must be one of ${known.join(', ')}`);
    return word;
  });
  return [...new Set(found)].filter((word) => word !== undefined);
}

function parseCacheOptions(
  body: Fields,
  issues: Issues,
): Absent<Pick<ModelOptions, 'hasExplicitCacheOnly' | 'promptCacheTtl'>> {
  const options = body.object('prompt_cache_options');
  if (!options) return { hasExplicitCacheOnly: undefined, promptCacheTtl: undefined };
  const fields = new Fields(options, { path: 'prompt_cache_options', issues });
  if (!fields.has('mode')) fields.refuse('mode', 'is required');
  return {
    hasExplicitCacheOnly: fields.oneOf('mode', ['explicit']) && true,
    promptCacheTtl: fields.string('ttl', { charactersMax: identifierCharactersMax }),
  };
}
