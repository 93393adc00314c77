import { Type, type Static } from 'typebox';
import { uuid } from '../../http/schemas/examples.ts';
import {
  closed,
  createdAt,
  flag,
  nullable,
  number,
  oneOf,
  text,
  whole,
} from '../../http/schemas/fields.ts';
import { reply } from '../../http/schemas/replies.ts';

const generationId = 'gen-1795167000-AbCdEf';

export const generationQuery = Type.Object(
  {
    id: Type.String({
      minLength: 1,
      mustBe: 'the id of a generation',
      description: 'Id of the generation, from the header X-Generation-Id.',
      examples: [generationId],
    }),
  },
  closed,
);

/** A feature that is not built: its value is null. */
const unbuilt = (description: string) => Type.Null({ description });
const endpointId = text('Id of the endpoint.', uuid);

const attempt = Type.Object({
  id: nullable(text("The provider's id of the answer.", 'resp_7')),
  endpoint_id: endpointId,
  model_permaslug: text('Slug of this version of the model.', 'sim/echo'),
  provider_name: text('Name of the provider.', 'Simulator'),
  status: nullable(whole('The HTTP status of the provider.', 200)),
  latency: number('Time to the first output, in ms.', 120),
  is_byok: flag('Whether an own provider credential was used.', false),
  routed_service_tier: nullable(text('The service tier that served.', 'default')),
});

const turn = Type.Object({
  turn: whole('Number of the turn, from 1.', 1),
  model: text('Slug of the model.', 'sim/echo'),
  provider_name: nullable(text('Name of the provider that served it.', 'Simulator')),
  status: text(
    'How it ended: `completed`, `incomplete`, `failed`, `cancelled` or `interrupted`.',
    'completed',
  ),
  finish_reason: nullable(text('Why it ended.', 'tool_calls')),
  created_at: createdAt,
  latency: nullable(number('Time to its first output, in ms.', 120)),
  generation_time: nullable(number('How long it took, in ms.', 850)),
  tokens_prompt: whole('Number of input tokens.', 6),
  tokens_completion: whole('Number of output tokens.', 3),
  cost: number('What it cost in credits, in USD.', 0.000_022),
  is_byok: flag('Whether an own provider credential was used.', false),
});

const toolCall = Type.Object({
  number: whole('Number of the call, from 1.', 1),
  type: text('Type of the server tool.', 'service:web_search'),
  engine: nullable(text('The engine that answered; null: the service itself.', 'exa')),
  status: text('How it ended: `completed`, `failed` or `interrupted`.', 'completed'),
  created_at: createdAt,
  latency: nullable(number('How long it ran, in ms; null: not known.', 300)),
  cost: number('What it cost in credits, in USD.', 0.007),
  is_byok: flag('Whether an own key of the engine was used.', false),
  counts: Type.Record(Type.String(), Type.Integer(), {
    description:
      'What its price depends on: `searches`, `searchResults`, `fetches`, `seconds`, `pages`; and `files`.',
    examples: [{ searches: 1, searchResults: 5 }],
  }),
});

const candidate = Type.Object({
  endpoint_id: endpointId,
  model: text('Slug of the model.', 'sim/echo'),
  provider: text('Slug of the provider.', 'openai'),
  tag: text('Short name of the endpoint.', 'simulator'),
});
const excluded = Type.Object({
  endpoint_id: endpointId,
  filter: text('The filter that left the endpoint out.', 'allowed_providers'),
});
const placed = Type.Object({
  endpoint_id: endpointId,
  reason: text('Why it has this place.', 'price'),
  seed: Type.Optional(
    text('The seed that drew it. Absent: it was not drawn by chance.', '2863311530'),
  ),
});

const routerChoice = Type.Object(
  {
    slug: text('The router.', 'service/pareto-code'),
    summary: Type.Optional(text('The choice in words.', 'chose sim/echo: the cheapest')),
    data: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'The models of the choice with their figures, and why others were left out.',
        examples: [{ tier: 'high', chosen: ['sim/echo'] }],
      }),
    ),
    is_cut: Type.Optional(flag('Whether lists of `data` were too long to keep in full.')),
  },
  { description: 'The choice of the router that the first name stands for.' },
);

const usedPreset = Type.Object(
  {
    id: text('Id of the preset.', uuid),
    slug: text('The name in the request.', 'support'),
    version: whole('The number of the version.', 1),
  },
  { description: 'The preset that the request named.' },
);

const usedAlias = Type.Object(
  {
    name: text('The name in the request.', 'team/default'),
    version: whole('The number of the version.', 1),
    models: Type.Array(Type.String(), {
      description: 'The models that it stood for, the first choice first.',
      examples: [['sim/echo']],
    }),
    budget_model: nullable(text('The model for when a budget is used up.', 'sim/chat')),
    budget_refusal: Type.Optional(
      text('Why that model went on. Absent: it did not.', 'key_limit_exceeded'),
    ),
  },
  { description: 'The alias that the request named.' },
);

const routing = Type.Object(
  {
    requested: Type.Array(Type.String(), {
      description: 'The models that were asked for, in order.',
      examples: [['sim/echo']],
    }),
    strategy: text('The way of choosing.', 'direct'),
    candidates: Type.Array(candidate, { description: 'Endpoints that could have served.' }),
    excluded: Type.Array(excluded, {
      description: 'Endpoints that were left out, and the filter that did it.',
    }),
    order: Type.Array(placed, { description: 'Endpoints in the order in which they are tried.' }),
    router: Type.Optional(routerChoice),
    preset: Type.Optional(usedPreset),
    alias: Type.Optional(usedAlias),
  },
  { description: 'How the endpoint was chosen.' },
);

/** A generation. A `Type.Null()` belongs to a feature that is not built. Money is in USD, times are in milliseconds. */
export const generationView = Type.Object({
  id: text('Id of the generation.', generationId),
  request_id: nullable(text('Id of the HTTP request.', 'req-7')),
  session_id: nullable(text('Groups requests that belong together.', 'chat-7')),
  created_at: createdAt,
  api_type: text('The kind of the call: `completions`, `embeddings` or `rerank`.', 'completions'),
  model: text('Slug of the model.', 'sim/echo'),
  router: nullable(text('The router that chose the model.', 'service/pareto-code')),
  preset_id: nullable(text('Id of the preset that the request named.', uuid)),
  provider_name: nullable(text('Name of the provider.', 'Simulator')),
  provider_responses: nullable(
    Type.Array(attempt, { description: 'What each tried endpoint answered.' }),
  ),
  streamed: flag('Whether the answer came as events.'),
  cancelled: flag('Whether the client left before the end.', false),
  turns: Type.Array(turn, { description: 'The model calls that count, in their order.' }),
  tool_calls: Type.Array(toolCall, { description: 'The calls of server tools, in their order.' }),
  is_byok: flag('Whether an own provider credential was used.', false),
  latency: nullable(number('Time to the first output, in ms.', 120)),
  generation_time: nullable(number('Time from the first output to the last, in ms.', 850)),
  moderation_latency: nullable(
    number('Milliseconds that the moderation of the input took; null: it was not moderated.', 12),
  ),
  finish_reason: nullable(text('Why the answer ended.', 'stop')),
  native_finish_reason: nullable(
    text('Why the answer ended, in the word of the provider.', 'stop'),
  ),
  tokens_prompt: nullable(whole('Number of input tokens.', 6)),
  tokens_completion: nullable(whole('Number of output tokens.', 3)),
  native_tokens_prompt: nullable(whole('Number of input tokens, as the provider counts.', 6)),
  native_tokens_completion: nullable(whole('Number of output tokens, as the provider counts.', 3)),
  native_tokens_completion_images: nullable(whole('Number of output tokens of images.')),
  native_tokens_reasoning: nullable(whole('Number of tokens of thoughts, as the provider counts.')),
  native_tokens_cached: nullable(whole('Number of cached tokens, as the provider counts.')),
  num_media_prompt: nullable(whole('Number of media in the question.')),
  num_media_completion: nullable(whole('Number of media in the answer.')),
  num_input_audio_prompt: nullable(whole('Number of audio inputs.')),
  num_search_results: nullable(whole('Number of results of web searches; null: none was made.', 5)),
  num_fetches: nullable(whole('Number of pages that were fetched; null: none.', 1)),
  usage: number('What was spent, in USD.', 0.000_022),
  total_cost: number('What it cost, in USD.', 0.000_022),
  upstream_inference_cost: nullable(number('What the provider charged, in USD.', 0.000_02)),
  cache_discount: nullable(
    number(
      'What caches of providers saved, in USD; negative: they made it dearer; null: no difference.',
      0.000_003,
    ),
  ),
  data_discount: nullable(number('Discount for contents, in USD; null: none.', 0.000_000_22)),
  service_tier: nullable(text('The service tier that was asked for.', 'default')),
  web_search_engine: nullable(
    text('The engine of the last web search; null: none was made.', 'exa'),
  ),
  data_region: text('Where the request was processed.', 'global'),
  app_id: unbuilt('Id of the application: null.'),
  origin: text('Where the request came from.', 'api'),
  http_referer: nullable(
    text('Address of the application, as it reports it.', 'https://example.com'),
  ),
  user_agent: nullable(text('How the client calls itself.', 'openai-node/7')),
  app: nullable(
    text(
      'The application: its title, or else a well-known one by its user agent, or else the origin of its page.',
      'Codex',
    ),
  ),
  app_title: nullable(text('Name of the application, as it reports it.', 'Example')),
  app_categories: Type.Array(Type.String(), {
    description: 'Categories of the application, as it reports them.',
    examples: [['cli-agent']],
  }),
  guardrail_invoked: flag(
    'Whether filters of guardrails found content in the request or in a scanned answer.',
  ),
  external_user: nullable(text("The partner's name for its user.", 'customer-7')),
  upstream_id: nullable(text("The provider's id of the answer.", 'resp_7')),
  response_cache_source_id: nullable(
    text('The generation whose answer was repeated, if it was.', 'gen-0198a6b2'),
  ),
  workspace_id: nullable(text('Id of the workspace.', uuid)),
  routing: nullable(routing),
  trace: nullable(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'The trace of the request.',
      examples: [{ job: 'nightly' }],
    }),
  ),
});
export type GenerationView = Static<typeof generationView>;

export const generationReply = reply(generationView);

const commentCharactersMax = 1_000;

export const feedbackBody = Type.Object(
  {
    generation_id: Type.String({
      pattern: '^[\\x21-\\x7e]{1,256}$',
      mustBe: 'the id of a generation',
      description: 'Id of a generation, from the header X-Generation-Id.',
      examples: [generationId],
    }),
    category: oneOf(
      [
        'latency',
        'incoherence',
        'incorrect_response',
        'formatting',
        'billing',
        'api_error',
        'other',
      ],
      'What the remark is about.',
    ),
    comment: Type.Optional(
      Type.String({
        maxLength: commentCharactersMax,
        // A zero byte and halves of surrogate pairs cannot be kept.
        pattern: String.raw`^[^\u0000\p{Cs}]*$`,
        mustBe: `a text of at most ${commentCharactersMax} characters`,
        description: 'A remark for the operator.',
        examples: ['The answer was cut.'],
      }),
    ),
  },
  closed,
);

export const feedbackReply = reply(Type.Object({ success: flag('Whether it is kept: true.') }));
