import { Type, type Static } from 'typebox';
import { closed, nullable } from '../../http/schemas/fields.ts';

export const generationQuery = Type.Object(
  { id: Type.String({ minLength: 1, mustBe: 'the id of a generation' }) },
  closed,
);

const attempt = Type.Object({
  id: nullable(Type.String()),
  endpoint_id: Type.String(),
  model_permaslug: Type.String(),
  provider_name: Type.String(),
  status: nullable(Type.Integer()),
  latency: Type.Number(),
  is_byok: Type.Boolean(),
  routed_service_tier: nullable(Type.String()),
});

const text = nullable(Type.String());
const count = nullable(Type.Integer());
const number = nullable(Type.Number());

/** How its endpoint was chosen: who could have answered, who was out and why, who was tried in which order and why. */
const routing = Type.Object({
  requested: Type.Array(Type.String()),
  strategy: Type.String(),
  candidates: Type.Array(
    Type.Object({
      endpoint_id: Type.String(),
      model: Type.String(),
      provider: Type.String(),
      tag: Type.String(),
    }),
  ),
  excluded: Type.Array(Type.Object({ endpoint_id: Type.String(), filter: Type.String() })),
  order: Type.Array(Type.Object({ endpoint_id: Type.String(), reason: Type.String() })),
});

/** A generation. A `Type.Null()` belongs to a feature that is not built. Money is in USD, times are in milliseconds. */
export const generationView = Type.Object({
  id: Type.String(),
  request_id: text,
  session_id: text,
  created_at: Type.String(),
  api_type: Type.String(),
  model: Type.String(),
  router: Type.Null(),
  preset_id: Type.Null(),
  provider_name: text,
  provider_responses: nullable(Type.Array(attempt)),
  streamed: Type.Boolean(),
  cancelled: Type.Boolean(),
  is_byok: Type.Boolean(),
  latency: number,
  generation_time: number,
  moderation_latency: number,
  finish_reason: text,
  native_finish_reason: text,
  tokens_prompt: count,
  tokens_completion: count,
  native_tokens_prompt: count,
  native_tokens_completion: count,
  native_tokens_completion_images: count,
  native_tokens_reasoning: count,
  native_tokens_cached: count,
  num_media_prompt: count,
  num_media_completion: count,
  num_input_audio_prompt: count,
  num_search_results: Type.Null(),
  num_fetches: Type.Null(),
  usage: Type.Number(),
  total_cost: Type.Number(),
  upstream_inference_cost: number,
  cache_discount: Type.Null(),
  service_tier: text,
  web_search_engine: Type.Null(),
  data_region: Type.String(),
  app_id: Type.Null(),
  origin: Type.String(),
  http_referer: text,
  user_agent: text,
  app: text,
  app_title: text,
  app_categories: Type.Array(Type.String()),
  guardrail_invoked: Type.Boolean(),
  external_user: text,
  upstream_id: text,
  response_cache_source_id: Type.Null(),
  workspace_id: text,
  routing: nullable(routing),
  trace: nullable(
    Type.Record(Type.String(), Type.Unknown(), { description: 'as the request had it' }),
  ),
});
export type GenerationView = Static<typeof generationView>;

export const generationReply = Type.Object({ data: generationView });

const commentCharactersMax = 1_000;

export const feedbackBody = Type.Object(
  {
    generation_id: Type.String({
      pattern: '^[\\x21-\\x7e]{1,256}$',
      mustBe: 'the id of a generation',
    }),
    category: Type.Enum(
      [
        'latency',
        'incoherence',
        'incorrect_response',
        'formatting',
        'billing',
        'api_error',
        'other',
      ] as const,
      { type: 'string' },
    ),
    comment: Type.Optional(
      Type.String({
        maxLength: commentCharactersMax,
        // A zero byte and halves of surrogate pairs cannot be kept.
        pattern: String.raw`^[^\u0000\p{Cs}]*$`,
        mustBe: `a text of at most ${commentCharactersMax} characters`,
      }),
    ),
  },
  closed,
);

export const feedbackReply = Type.Object({ data: Type.Object({ success: Type.Boolean() }) });

/** The stored content of a generation. No account stores content yet. */
export const generationContentReply = Type.Object({
  data: Type.Object({
    input: Type.Object({
      prompt: Type.Optional(Type.String()),
      messages: Type.Optional(Type.Array(Type.Object({}))),
    }),
    output: Type.Object({
      completion: Type.Optional(text),
      reasoning: Type.Optional(text),
    }),
  }),
});
