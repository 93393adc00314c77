import { Type, type TSchema } from 'typebox';
import { count, flag, nullable, number, text, whole } from '../../http/schemas/fields.ts';
import { listReply, reply } from '../../http/schemas/replies.ts';
import { pricing } from './pricing-schema.ts';

const slug = text('Slug of the model.', 'sim/echo');
const title = text('Name of the model.', 'Simulator: echo');
const about = text('What the model is good for.', 'Answers with the words of the request.');
const releasedAt = whole('When it was released, in Unix seconds.', 1_750_000_000);
const tokens = (description: string, example: number) => nullable(count(description, example));
const texts = (description: string, ...examples: readonly string[]) =>
  Type.Array(Type.String(), {
    description,
    ...(examples.length > 0 && { examples: [examples] }),
  });
const contextLength = tokens('Number of tokens of input and output together.', 128_000);
const answerTokensMax = tokens('Number of tokens that an answer may have.', 4_096);
const parameters = texts('Parameters that it takes.', 'temperature');

const architecture = Type.Object(
  {
    modality: nullable(text('Input and output in one word.', 'text->text')),
    input_modalities: texts('What it reads.'),
    output_modalities: texts('What it writes.'),
    tokenizer: text('How tokens are counted.', 'GPT'),
    instruct_type: nullable(text('The format of instructions.')),
  },
  { description: 'What goes in and out, and how it is counted.' },
);

const settings = Type.Object(
  {
    temperature: nullable(number('How much chance there is in the answer.', 1)),
    top_p: nullable(number('The share of likelihood that is chosen from.', 1)),
    top_k: nullable(number('Number of tokens that are chosen from.', 40)),
    frequency_penalty: nullable(
      number('How much repeated tokens are avoided, by how often they came.'),
    ),
    presence_penalty: nullable(number('How much tokens are avoided that came already.')),
    repetition_penalty: nullable(number('How much repetition is avoided.', 1)),
  },
  { description: 'Values of parameters that the request leaves out.' },
);

const reasoning = Type.Object(
  {
    mandatory: flag('Whether it always thinks.', false),
    supported_efforts: Type.Optional(
      nullable(texts('How much it can be asked to think.', 'low', 'high')),
    ),
    default_effort: Type.Optional(
      nullable(text('How much it thinks when the request does not say.', 'medium')),
    ),
    default_enabled: Type.Optional(flag('Whether it thinks when the request does not say.', false)),
    supports_max_tokens: Type.Optional(
      flag('Whether the budget of thoughts can be given in tokens.'),
    ),
  },
  { description: 'How it thinks.' },
);

const index = (of: string) => Type.Optional(number(`Index of ${of} by Artificial Analysis.`, 60));
const benchmarks = Type.Object(
  {
    artificial_analysis: Type.Optional(
      Type.Object(
        {
          intelligence_index: index('intelligence'),
          coding_index: index('programming'),
          agentic_index: index('agents'),
        },
        { description: 'Indexes by Artificial Analysis.' },
      ),
    ),
    design_arena: Type.Optional(
      Type.Array(Type.Object({}), { description: 'Places in Design Arena.' }),
    ),
  },
  { description: 'How it does in benchmarks.' },
);

export const model = Type.Object({
  id: slug,
  object: Type.Literal('model', { description: 'The kind of object.' }),
  owned_by: text('Who made the model.', 'sim'),
  canonical_slug: text('Slug of this version of the model: dated and permanent.', 'sim/echo'),
  hugging_face_id: Type.Optional(text('Its id on Hugging Face.', 'example/model')),
  name: title,
  created: releasedAt,
  description: about,
  context_length: contextLength,
  architecture,
  pricing,
  top_provider: Type.Object(
    {
      context_length: contextLength,
      max_completion_tokens: answerTokensMax,
      is_moderated: flag('Whether Sluice moderates the input before this provider gets it.', false),
    },
    { description: 'What the most used endpoint offers.' },
  ),
  per_request_limits: nullable(
    Type.Object(
      {
        prompt_tokens: whole('Number of input tokens of a request.', 240),
        completion_tokens: whole('Number of output tokens of a request.', 120),
      },
      { description: 'Limits of a single request: null.' },
    ),
  ),
  supported_parameters: parameters,
  supported_voices: nullable(texts('Voices that it speaks with.', 'alloy')),
  default_parameters: nullable(settings),
  reasoning: Type.Optional(reasoning),
  knowledge_cutoff: Type.Optional(text('Up to when it knows the world.', '2025-06-30')),
  expiration_date: Type.Optional(text('When it will be gone.', '2027-01-31')),
  alias_target: Type.Optional(
    Type.Object({ slug, name: title }, { description: 'The model that this alias stands for.' }),
  ),
  benchmarks: Type.Optional(benchmarks),
  links: Type.Object(
    { details: text('Address of its endpoints.', '/models/sim/echo/endpoints') },
    { description: 'Addresses of other pages.' },
  ),
});

const percentiles = (description: string) =>
  nullable(
    Type.Object(
      {
        p50: number('The 50th percentile.', 120),
        p75: number('The 75th percentile.', 120),
        p90: number('The 90th percentile.', 120),
        p99: number('The 99th percentile.', 120),
      },
      { description },
    ),
  );
const uptime = (time: string) => {
  const description = `Share of successful tries in the last ${time}, in percent.`;
  return nullable(Type.Number({ minimum: 0, maximum: 100, description, examples: [99.9] }));
};
const performance = Type.Object({
  latency: percentiles('Time to the first output, in ms.'),
  throughput: percentiles('Tokens per second.'),
  request_count: count('Number of requests that were measured.', 1_000),
});

/** An endpoint. Measured values are null if the request has no key. */
export const endpoint = Type.Object({
  name: text('Name of the endpoint.', 'Simulator | sim/echo'),
  model_id: slug,
  model_name: title,
  provider_name: text('Name of the provider.', 'Simulator'),
  tag: text('A provider, or a provider and one of its variants.', 'simulator'),
  context_length: contextLength,
  max_prompt_tokens: tokens('Number of tokens that a question may have.', 124_000),
  max_completion_tokens: answerTokensMax,
  quantization: nullable(text('How its weights are rounded.', 'fp8')),
  pricing,
  supported_parameters: parameters,
  supports_implicit_caching: flag('Whether input is cached without being asked.', false),
  supports_voice_cloning: flag('Whether it speaks with a voice of yours.', false),
  supports_tool_choice: Type.Object(
    {
      auto: flag('Whether the model may choose.'),
      none: flag('Whether tools can be forbidden.'),
      required: flag('Whether a tool call can be demanded.'),
      function: flag('Whether a named function can be demanded.'),
    },
    { description: 'Which choices of tools it takes.' },
  ),
  status: Type.Integer({
    maximum: 0,
    description: 'How it does now. 0: as it should; the lower, the worse.',
  }),
  uptime_last_5m: uptime('5 minutes'),
  uptime_last_30m: uptime('30 minutes'),
  uptime_last_1d: uptime('day'),
  latency_last_30m: percentiles('Times to the first output in the last 30 minutes, in ms.'),
  throughput_last_30m: percentiles('Tokens per second in the last 30 minutes.'),
  perf_last_30m_by_workload: Type.Optional(
    Type.Record(Type.String(), performance, {
      description: 'Latency and throughput by size of the question.',
    }),
  ),
});

export const modelEndpoints = Type.Object({
  id: slug,
  name: title,
  created: releasedAt,
  description: about,
  architecture,
  endpoints: Type.Array(endpoint, { description: 'What serves the model.' }),
});

export const provider = Type.Object({
  name: text('Name of the provider.', 'Simulator'),
  slug: text('Slug of the provider.', 'simulator'),
  privacy_policy_url: nullable(
    text('Address of the privacy policy.', 'https://example.com/privacy'),
  ),
  terms_of_service_url: nullable(
    text('Address of the terms of service.', 'https://example.com/terms'),
  ),
  status_page_url: nullable(text('Address of the status page.', 'https://status.example.com')),
  headquarters: nullable(text('Country code of the headquarters.', 'US')),
  datacenters: nullable(texts('Country codes of its data centers.', 'DE')),
});

/** The reply by content type, for the description. The handlers send bytes, which no schema checks. */
const json = <Schema extends TSchema>(schema: Schema) => ({
  content: { 'application/json': { schema } },
});
const modelList = Type.Object({
  object: Type.Literal('list', { description: 'The kind of object.' }),
  ...listReply(model).properties,
  total_count: count('How many there are on all pages.', 42),
  links: Type.Object(
    {
      next: nullable(
        text('Address of the next page, under the base URL; null: this is the last one.'),
      ),
    },
    { description: 'Addresses of other pages.' },
  ),
});

export const modelListReply = json(modelList);
export const modelListOrFeedReply = {
  content: {
    'application/json': { schema: modelList },
    'application/rss+xml': { schema: Type.String({ description: 'with use_rss' }) },
  },
};
export const retrievedModelReply = json(model);
export const modelReply = json(reply(model));
export const modelCountReply = json(
  reply(Type.Object({ count: count('How many there are.', 42) })),
);
export const modelEndpointsReply = json(reply(modelEndpoints));
export const endpointListReply = json(listReply(endpoint));
export const providerListReply = json(listReply(provider));
