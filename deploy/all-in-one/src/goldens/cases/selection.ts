import { type Answer, type Case, dialects, type Endpoint, type Model } from '../testing/case.ts';
import { begins, refuses, says } from '../testing/upstream.ts';
import { call, output, table, user, weather, whole } from './words.ts';

const body = { input: 'hello', max_output_tokens: 1_000 };
const [responses, chat, messages, gemini] = dialects;
const fails = (status: number): Answer => refuses(status, { error: { message: 'no' } });
const price = (factor: number) => ({
  pricing: { prompt: `0.00000${String(factor)}`, completion: `0.00000${String(factor)}` },
});
const nothingKept = { data_policy: { retains: false, trains: false, publishes: false } };
/** Three providers at prices of 1 to 2 to 3; the last one keeps nothing. */
const trio: Model = {
  endpoints: [
    {
      dialect: chat,
      provider: 'first',
      facts: { ...price(1), quantization: 'fp8', variant: 'us-east' },
    },
    { dialect: responses, provider: 'second', facts: { ...price(2), data_region: 'europe' } },
    { dialect: messages, provider: 'third', facts: { ...price(3), ...nothingKept } },
  ],
};
const alone = (dialect: Endpoint['dialect'], answer?: Endpoint['answer'], facts = {}): Model => ({
  endpoints: [answer ? { dialect, answer, facts } : { dialect, facts }],
});
const failing = (...statuses: readonly number[]): Model => ({
  endpoints: statuses.map((status, place) => ({
    dialect: dialects[place % dialects.length] ?? chat,
    provider: `failing-${String(place)}`,
    answer: fails(status),
    facts: price(place + 1),
  })),
});
const serving = (dialect: string) => `serving-${dialect}`;
const then = (status: number, dialect: Endpoint['dialect']): Model => ({
  endpoints: [
    { dialect: chat, provider: 'failing', answer: fails(status), facts: price(1) },
    { dialect, provider: serving(dialect), answer: says(dialect, 'text'), facts: price(2) },
  ],
});
const sorted = { sort: 'price' };
const rules = (given: object) => ({ rules: given });

/** The endpoints that are asked, their answers, and what `service_metadata` and the facts say of them. */
export const selection: readonly Case[] = table(
  'selection',
  {
    ...Object.fromEntries(
      dialects.flatMap((dialect) =>
        [401, 404, 429, 500, 503, 504].map((status) => [
          `${String(status)} then ${dialect}`,
          { body: { ...body, provider: sorted }, models: { m: then(status, dialect) } },
        ]),
      ),
    ),
    ...Object.fromEntries(
      [
        [429, 429],
        [503, 500],
        [429, 500],
        [504, 529],
        [401, 503],
        [404, 404],
        [400, 503],
        [429, 404, 429],
      ].map((statuses) => [
        `all fail ${statuses.join(' ')}`,
        { body: { ...body, provider: sorted }, models: { m: failing(...statuses) } },
      ]),
    ),
    'refused request is asked once more': {
      body: { ...body, provider: sorted },
      models: { m: failing(400, 400, 400) },
    },
    'no fallbacks': {
      body: { ...body, provider: { ...sorted, allow_fallbacks: false } },
      models: { m: then(503, messages) },
    },
    'no fallback after a word': {
      body: { ...body, provider: sorted },
      models: {
        m: {
          endpoints: [
            {
              dialect: chat,
              provider: 'failing',
              answer: begins(chat, (response) => void response.destroy()),
              facts: price(1),
            },
            { dialect: gemini, provider: 'serving', facts: price(2) },
          ],
        },
      },
    },
    'next model': {
      body: { ...body, models: ['$a', '$b'] },
      models: { a: failing(503), b: alone(gemini) },
    },
    'model and models': {
      body: { ...body, model: '$a', models: ['$b'] },
      models: { a: failing(500), b: alone(responses) },
    },
    'filter then another model': {
      body: { ...body, models: ['$a', '$b'] },
      models: {
        a: alone(responses, refuses(400, { error: { code: 'content_policy_violation' } })),
        b: alone(messages),
      },
    },
    'too long then more room': {
      body: { ...body, models: ['$a', '$b'] },
      models: {
        a: alone(chat, refuses(400, { error: { code: 'context_length_exceeded' } })),
        b: alone(messages),
      },
    },
    'one of the models is unknown': {
      body: { ...body, models: ['nobody/nothing', '$b'] },
      models: { b: alone(chat) },
    },
    'thoughts after a fallback': {
      body: {
        input: [
          user('a'),
          {
            type: 'reasoning',
            id: 'rs_1',
            summary: [],
            encrypted_content: 'c2Vh',
            format: 'openai-responses-v1',
          },
          call('1'),
          output('1'),
        ],
        tools: [weather],
        provider: sorted,
      },
      models: { m: then(500, messages) },
    },
    'by price': { body: { ...body, provider: sorted }, models: { m: trio } },
    'by order': { body: { ...body, provider: { order: ['third', 'first'] } }, models: { m: trio } },
    'by throughput': { body: { ...body, model: '$m:nitro' }, models: { m: trio } },
    'by the cheapest': { body: { ...body, model: '$m:floor' }, models: { m: trio } },
    'by calls of tools': { body: { ...body, model: '$m:exacto' }, models: { m: trio } },
    'by chance': { body, models: { m: trio } },
    'by session': { body: { ...body, session_id: 's' }, models: { m: trio }, times: 2 },
    'only one': { body: { ...body, provider: { only: ['second'] } }, models: { m: trio } },
    'all but one': { body: { ...body, provider: { ignore: ['first'] } }, models: { m: trio } },
    'only nobody': { body: { ...body, provider: { only: ['nobody'] } }, models: { m: trio } },
    'nothing is kept': { body: { ...body, provider: { zdr: true } }, models: { m: trio } },
    'nothing is collected': {
      body: { ...body, provider: { data_collection: 'deny' } },
      models: { m: trio },
    },
    'nothing that distils': {
      body: { ...body, provider: { enforce_distillable_text: true } },
      models: { m: trio },
    },
    'of a quantization': {
      body: { ...body, provider: { quantizations: ['fp8'] } },
      models: { m: trio },
    },
    'at most a price': {
      body: { ...body, provider: { max_price: { prompt: 2 } } },
      models: { m: trio },
    },
    'at most no price': {
      body: { ...body, provider: { max_price: { prompt: '0.1' } } },
      models: { m: trio },
    },
    'of a tier': {
      body: { ...body, service_tier: 'priority' },
      models: {
        m: {
          endpoints: [
            { dialect: responses, facts: price(1) },
            { dialect: responses, facts: { ...price(3), tier: 'priority' } },
          ],
        },
      },
    },
    'parameters are required': {
      body: { ...body, seed: 1, top_k: 3, provider: { require_parameters: true } },
      models: { m: alone(responses) },
    },
    'tools are not supported': {
      body: { ...body, tools: [weather] },
      models: { m: alone(chat, undefined, { supported_parameters: ['temperature'] }) },
    },
    'pictures are not read': {
      body: { input: [user([{ type: 'input_image', image_url: 'data:image/png;base64,aGk=' }])] },
      models: { m: alone(chat, undefined, { input_modalities: ['text'] }) },
    },
    'no text is given': {
      body,
      models: { m: alone(chat, undefined, { output_modalities: ['embeddings'] }) },
    },
    'too long for all': {
      body: { input: 'x'.repeat(2_000), plugins: [whole] },
      models: { m: alone(chat, undefined, { context_length: 100 }) },
    },
    'no longer served': {
      body,
      models: { m: { ...alone(chat), facts: { expiration_date: '2026-11-01' } } },
    },
    'by its alias': {
      body: { ...body, model: 'golden/alias' },
      models: { m: { ...alone(chat), facts: { aliases: ['golden/alias'] } } },
    },
    'limited by its context': {
      body: { input: 'hello' },
      models: { m: alone(messages, undefined, { context_length: 4_000 }) },
    },
    'shows what is sent': {
      body: { ...body, provider: sorted, debug: { echo_upstream_body: true } },
      models: { m: then(503, chat) },
    },
    'answers are kept': {
      body,
      models: {
        m: {
          endpoints: [
            { dialect: responses, provider: 'keeping', providerFacts: { keeps_answers: true } },
          ],
        },
      },
    },
    'thinks always': {
      body: { ...body, reasoning: { effort: 'none' } },
      models: { m: { ...alone(responses), facts: { reasoning: { mandatory: true } } } },
    },
    'thinks by budget': {
      body: { ...body, reasoning: { effort: 'low' } },
      models: { m: { ...alone(messages), facts: { reasoning: { supports_max_tokens: true } } } },
    },
    'higher price of a long prompt': {
      body: { input: 'x'.repeat(800) },
      models: {
        m: alone(chat, undefined, {
          pricing: {
            prompt: '0.000001',
            completion: '0.000002',
            request: '0.001',
            overrides: [{ min_prompt_tokens: 100, prompt: '0.000003' }],
          },
        }),
      },
    },
    'for nothing': {
      body,
      models: { m: alone(chat, undefined, { pricing: { prompt: '0', completion: '0' } }) },
    },
    'guardrail on providers': {
      body,
      models: { m: trio },
      guardrail: rules({ ignoredProviders: { values: ['first', 'second'] } }),
    },
    'guardrail on all providers': {
      body,
      models: { m: trio },
      guardrail: rules({ allowedProviders: { values: ['nobody'] } }),
    },
    'guardrail on models': {
      body,
      models: { m: trio },
      guardrail: rules({ allowedModels: { values: ['nobody/nothing'] } }),
    },
    'guardrail on retention': {
      body,
      models: { m: trio },
      guardrail: rules({ zeroRetention: { other: true } }),
    },
    'guardrail on training': {
      body,
      models: {
        m: alone(chat, undefined, {
          data_policy: { retains: true, trains: true, publishes: false },
        }),
      },
      guardrail: rules({ enablePaidModelTraining: false }),
    },
    'guardrail on regions': {
      body,
      models: { m: trio },
      guardrail: rules({ allowedDataRegions: { values: ['europe'] } }),
    },
    'guardrail on no region': {
      body,
      models: { m: trio },
      guardrail: rules({ allowedDataRegions: { values: ['mars'] } }),
    },
    'guardrail with a filter': {
      body,
      models: { m: trio },
      guardrail: rules({ customFilters: { filters: [{ pattern: 'hello', action: 'block' }] } }),
    },
  },
  { headers: { 'x-service-metadata': 'enabled' } },
);
