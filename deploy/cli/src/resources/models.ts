import { paging, type Resource, type ResourceOption } from './resource.ts';

const text = (value: string, field: string, does: string): ResourceOption => ({
  flags: `--${field.replaceAll('_', '-')} <${value}>`,
  field,
  as: 'text',
  does,
});

const outputModalities = text(
  'names',
  'output_modalities',
  'that answer with any of them, separated by commas; all; default: text',
);

const filters: readonly ResourceOption[] = [
  text('words', 'q', 'whose name or slug has all of them'),
  text('order', 'sort', 'like newest, pricing-low-to-high, throughput-high-to-low'),
  text('use', 'category', 'like programming, science'),
  text('names', 'supported_parameters', 'that take all of them, separated by commas'),
  text('names', 'input_modalities', 'that take all of them, separated by commas'),
  outputModalities,
  text('tokens', 'context', 'with so much context at least'),
  text('usd', 'min_price', 'of a million tokens of input'),
  text('usd', 'max_price', 'of a million tokens of input'),
  text('usd', 'min_output_price', 'of a million tokens of output'),
  text('usd', 'max_output_price', 'of a million tokens of output'),
  text('family', 'arch', 'like GPT, Llama'),
  text('names', 'model_authors', 'by one of them, separated by commas'),
  text('names', 'providers', 'served by one of them, separated by commas'),
  text('boolean', 'distillable', 'what others may learn from'),
  text('boolean', 'zdr', 'true: with an endpoint that keeps nothing'),
  text('region', 'region', 'eu or us'),
  text('days', 'min_age_days', 'not younger'),
  text('days', 'max_age_days', 'not older'),
  ...['intelligence_index', 'coding_index', 'agentic_index', 'tool_success_rate'].flatMap(
    (name) => [
      text('number', `min_${name}`, 'by its benchmarks'),
      text('number', `max_${name}`, 'by its benchmarks'),
    ],
  ),
];

export const models: Resource = {
  words: 'models',
  does: 'what can be called, and at which price',
  operations: [
    {
      name: 'list',
      does: 'those that are listed, or what is asked for of them',
      method: 'GET',
      path: '/models',
      options: [...paging, ...filters],
      columns: ['id', 'name', 'context_length', 'pricing'],
    },
    {
      name: 'get',
      does: 'one of them, like openai/gpt-5',
      method: 'GET',
      path: '/model/{+model}',
    },
    {
      name: 'endpoints',
      does: 'what answers for it, and how it has done lately',
      method: 'GET',
      path: '/models/{+model}/endpoints',
      rows: 'endpoints',
      columns: [
        'tag',
        'provider_name',
        'quantization',
        'status',
        'uptime_last_1d',
        'latency_last_30m',
        'throughput_last_30m',
        'pricing',
      ],
    },
    {
      name: 'usable',
      does: 'those that the API key can be used for',
      method: 'GET',
      path: '/models/user',
      key: 'api',
      options: [...paging],
      columns: ['id', 'name', 'context_length', 'pricing'],
    },
    {
      name: 'embeddings',
      does: 'those that make embeddings',
      method: 'GET',
      path: '/embeddings/models',
      options: [...paging],
      columns: ['id', 'name', 'context_length', 'pricing'],
    },
    {
      name: 'zdr',
      does: 'the endpoints that retain nothing',
      method: 'GET',
      path: '/endpoints/zdr',
      columns: ['model_id', 'tag', 'provider_name', 'pricing'],
    },
    {
      name: 'count',
      does: 'how many there are',
      method: 'GET',
      path: '/models/count',
      options: [outputModalities],
    },
  ],
};

export const providers: Resource = {
  words: 'providers',
  does: 'who serves',
  operations: [
    {
      name: 'list',
      does: 'all of them',
      method: 'GET',
      path: '/providers',
      isDefault: true,
      columns: ['slug', 'name', 'headquarters', 'privacy_policy_url'],
    },
  ],
};
