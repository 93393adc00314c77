import { catalogCategories, catalogSorts, modelParameters } from '@sluice/inference-port';
import { Type } from 'typebox';
import { closed, nullable } from '../../http/schemas/fields.ts';
import { pricing } from './pricing-schema.ts';

// Query values are text: nothing is coerced. Routing reads them.

const text = (mustBe: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 2_048, mustBe }));
const number = (mustBe: string) =>
  Type.Optional(
    Type.String({ pattern: '^\\d{1,15}(?:\\.\\d{1,18})?(?:[eE][+-]?\\d{1,2})?$', mustBe }),
  );
const whole = (mustBe: string) => Type.Optional(Type.String({ pattern: '^\\d{1,9}$', mustBe }));
const choice = <Value extends string>(values: readonly Value[]) =>
  Type.Optional(Type.Enum([...values], { type: 'string' }));
const listOf = (values: readonly string[]) => {
  const one = `(?:${values.join('|')})`;
  return Type.Optional(
    Type.String({
      pattern: `^${one}(?:,${one})*$`,
      maxLength: 2_048,
      mustBe: `a list, separated by commas, of ${values.join(', ')}`,
    }),
  );
};

const outputs = [
  'text',
  'image',
  'embeddings',
  'audio',
  'video',
  'rerank',
  'speech',
  'transcription',
  'decisions',
] as const;

const outputModalities = {
  output_modalities: listOf([...outputs, 'all']),
};
const page = {
  offset: whole('a whole number of 1 to 9 digits'),
  limit: Type.Optional(
    Type.String({
      pattern: '^(?:[1-9]\\d{0,2}|1000)$',
      mustBe: 'a whole number from 1 to 1000; 500 when only the offset is given',
    }),
  ),
};

const usd = 'a number of USD per million tokens';
const share = Type.Optional(
  Type.String({
    pattern: '^(?:0(?:\\.\\d{1,18})?|1(?:\\.0{1,18})?)$',
    mustBe: 'a number from 0 to 1',
  }),
);

export const pageQuery = Type.Object(page, closed);
export const countQuery = Type.Object(outputModalities, closed);
export const modelsQuery = Type.Object(
  {
    ...page,
    ...outputModalities,
    q: text('words of the name or the slug'),
    category: choice(catalogCategories),
    supported_parameters: listOf(modelParameters),
    input_modalities: listOf(['text', 'image', 'audio', 'file']),
    sort: choice(catalogSorts),
    context: Type.Optional(
      Type.String({
        pattern: '^[1-9]\\d{0,8}$',
        mustBe: 'a whole number of tokens from 1 on',
      }),
    ),
    min_price: number(usd),
    max_price: number(usd),
    min_output_price: number(usd),
    max_output_price: number(usd),
    arch: text('a family of models'),
    model_authors: text('a list of authors, separated by commas'),
    providers: text('a list of providers, separated by commas'),
    distillable: choice(['true', 'false']),
    zdr: choice(['true']),
    region: choice(['eu', 'us']),
    min_age_days: whole('a whole number of days'),
    max_age_days: whole('a whole number of days'),
    min_intelligence_index: number('a number from 0 on'),
    max_intelligence_index: number('a number from 0 on'),
    min_coding_index: number('a number from 0 on'),
    max_coding_index: number('a number from 0 on'),
    min_agentic_index: number('a number from 0 on'),
    max_agentic_index: number('a number from 0 on'),
    min_tool_success_rate: share,
    max_tool_success_rate: share,
    after_id: text('with `anthropic-version`: the models after this one'),
    before_id: text('with `anthropic-version`: the models before this one'),
    use_rss: text('anything but false: the answer is an RSS feed'),
    use_rss_chat_links: text('the same'),
  },
  closed,
);

// A longer name belongs to no model: 404.
const name = (mustBe: string, example: string) => Type.String({ mustBe, examples: [example] });
export const modelPath = Type.Object({
  author: name('who made the model', 'sim'),
  slug: name('its name there, with or without a variant', 'echo'),
});

export const modelName = Type.Object({
  model: name('a whole slug or an alias; its `/` is written as %2F', 'sim/echo'),
});

const optionalText = Type.Optional(Type.String());
const optionalNumber = Type.Optional(Type.Number());
const count = nullable(Type.Integer({ minimum: 0 }));
const texts = Type.Array(Type.String());

const architecture = Type.Object({
  modality: nullable(Type.String()),
  input_modalities: texts,
  output_modalities: texts,
  tokenizer: Type.String(),
  instruct_type: nullable(Type.String()),
});

const settings = Type.Object({
  temperature: nullable(Type.Number()),
  top_p: nullable(Type.Number()),
  top_k: nullable(Type.Number()),
  frequency_penalty: nullable(Type.Number()),
  presence_penalty: nullable(Type.Number()),
  repetition_penalty: nullable(Type.Number()),
});

const reasoning = Type.Object({
  mandatory: Type.Boolean(),
  supported_efforts: Type.Optional(nullable(texts)),
  default_effort: Type.Optional(nullable(Type.String())),
  default_enabled: Type.Optional(Type.Boolean()),
  supports_max_tokens: Type.Optional(Type.Boolean()),
});

const benchmarks = Type.Object({
  artificial_analysis: Type.Optional(
    Type.Object({
      intelligence_index: optionalNumber,
      coding_index: optionalNumber,
      agentic_index: optionalNumber,
    }),
  ),
  design_arena: Type.Optional(Type.Array(Type.Object({}))),
});

export const model = Type.Object({
  id: Type.String(),
  object: Type.Literal('model'),
  owned_by: Type.String({ description: 'its author' }),
  canonical_slug: Type.String({ description: 'dated and permanent' }),
  hugging_face_id: optionalText,
  name: Type.String(),
  created: Type.Integer({ description: 'Unix seconds' }),
  description: Type.String(),
  context_length: count,
  architecture,
  pricing,
  top_provider: Type.Object({
    context_length: count,
    max_completion_tokens: count,
    is_moderated: Type.Boolean(),
  }),
  per_request_limits: nullable(
    Type.Object({ prompt_tokens: Type.Integer(), completion_tokens: Type.Integer() }),
  ),
  supported_parameters: texts,
  supported_voices: nullable(texts),
  default_parameters: nullable(settings),
  reasoning: Type.Optional(reasoning),
  knowledge_cutoff: optionalText,
  expiration_date: optionalText,
  alias_target: Type.Optional(Type.Object({ slug: Type.String(), name: Type.String() })),
  benchmarks: Type.Optional(benchmarks),
  links: Type.Object({ details: Type.String() }),
});

const percentiles = nullable(
  Type.Object({ p50: Type.Number(), p75: Type.Number(), p90: Type.Number(), p99: Type.Number() }),
);
const percent = nullable(Type.Number({ minimum: 0, maximum: 100 }));
const performance = Type.Object({
  latency: percentiles,
  throughput: percentiles,
  request_count: Type.Integer({ minimum: 0 }),
});

/** An endpoint. Measured values are null if the request has no key. */
export const endpoint = Type.Object({
  name: Type.String(),
  model_id: Type.String(),
  model_name: Type.String(),
  provider_name: Type.String(),
  tag: Type.String({ description: 'a provider, or a provider and one of its variants' }),
  context_length: count,
  max_prompt_tokens: count,
  max_completion_tokens: count,
  quantization: nullable(Type.String()),
  pricing,
  supported_parameters: texts,
  supports_implicit_caching: Type.Boolean(),
  supports_voice_cloning: Type.Boolean(),
  supports_tool_choice: Type.Object({
    auto: Type.Boolean(),
    none: Type.Boolean(),
    required: Type.Boolean(),
    function: Type.Boolean(),
  }),
  status: Type.Integer({ maximum: 0, description: '0: as it should be; the lower, the worse' }),
  uptime_last_5m: percent,
  uptime_last_30m: percent,
  uptime_last_1d: percent,
  latency_last_30m: percentiles,
  throughput_last_30m: percentiles,
  perf_last_30m_by_workload: Type.Optional(Type.Record(Type.String(), performance)),
});

export const modelEndpoints = Type.Object({
  id: Type.String(),
  name: Type.String(),
  created: Type.Integer({ description: 'Unix seconds' }),
  description: Type.String(),
  architecture,
  endpoints: Type.Array(endpoint),
});

export const provider = Type.Object({
  name: Type.String(),
  slug: Type.String(),
  privacy_policy_url: nullable(Type.String()),
  terms_of_service_url: nullable(Type.String()),
  status_page_url: nullable(Type.String()),
  headquarters: nullable(Type.String({ description: 'a country code' })),
  datacenters: nullable(texts),
});

/** By content type: what the handlers send are bytes, and nothing is checked by it. */
const json = <Schema extends object>(schema: Schema) => ({
  content: { 'application/json': { schema } },
});
const modelList = Type.Object({
  object: Type.Literal('list'),
  data: Type.Array(model),
  total_count: Type.Integer({ minimum: 0, description: 'of all pages' }),
  links: Type.Object({
    next: nullable(Type.String({ description: 'the next page, under the base URL' })),
  }),
});

export const modelListReply = json(modelList);
export const modelListOrFeedReply = {
  content: {
    'application/json': { schema: modelList },
    'application/rss+xml': { schema: Type.String({ description: 'with use_rss' }) },
  },
};
export const retrievedModelReply = json(model);
export const modelReply = json(Type.Object({ data: model }));
export const modelCountReply = json(
  Type.Object({ data: Type.Object({ count: Type.Integer({ minimum: 0 }) }) }),
);
export const modelEndpointsReply = json(Type.Object({ data: modelEndpoints }));
export const endpointListReply = json(Type.Object({ data: Type.Array(endpoint) }));
export const providerListReply = json(Type.Object({ data: Type.Array(provider) }));
