import { Type } from 'typebox';
import { nullable } from '../../http/schemas/fields.ts';

// Routing reads and writes these bodies; here stands what a client should know of them.

const identifier = (description: string) =>
  Type.Optional(Type.String({ maxLength: 256, description }));

const message = Type.Object({
  type: Type.Optional(Type.Literal('message')),
  role: Type.String({ description: 'user, assistant, system or developer' }),
  content: Type.Union([Type.String(), Type.Array(Type.Object({ type: Type.String() }))]),
});

const functionTool = Type.Object({
  type: Type.Literal('function'),
  name: Type.String(),
  description: Type.Optional(nullable(Type.String())),
  parameters: Type.Optional(nullable(Type.Object({}))),
});

/** `POST /responses`, as far as it is built. */
export const responseBody = Type.Object(
  {
    model: Type.String({ maxLength: 256, description: 'one of GET /v1/models' }),
    input: Type.Union([Type.String(), Type.Array(Type.Union([message, Type.Object({})]))]),
    instructions: Type.Optional(nullable(Type.String())),
    stream: Type.Optional(Type.Boolean({ description: 'events as they come; default false' })),
    max_output_tokens: Type.Optional(nullable(Type.Integer({ minimum: 1 }))),
    max_tool_calls: Type.Optional(nullable(Type.Integer({ minimum: 1 }))),
    temperature: Type.Optional(nullable(Type.Number({ minimum: 0, maximum: 2 }))),
    top_p: Type.Optional(nullable(Type.Number({ minimum: 0, maximum: 1 }))),
    tools: Type.Optional(Type.Array(functionTool)),
    tool_choice: Type.Optional(Type.Union([Type.String(), Type.Object({})])),
    parallel_tool_calls: Type.Optional(nullable(Type.Boolean())),
    metadata: Type.Optional(
      nullable(Type.Record(Type.String(), Type.String({ maxLength: 512 }), { maxProperties: 16 })),
    ),
    user: identifier('your name for the person who asks'),
    session_id: identifier('groups requests that belong together'),
    trace: Type.Optional(
      nullable(
        Type.Object({}, { description: 'kept with the generation, never sent to a provider' }),
      ),
    ),
    debug: Type.Optional(
      nullable(Type.Object({ echo_upstream_body: Type.Optional(nullable(Type.Boolean())) })),
    ),
    safety_identifier: Type.Optional(nullable(Type.String({ maxLength: 512 }))),
  },
  { examples: [{ model: 'sim/echo', input: 'Say hello', max_output_tokens: 100 }] },
);

const count = Type.Integer({ minimum: 0 });

export const responseObject = Type.Object({
  id: Type.String(),
  object: Type.Literal('response'),
  created_at: Type.Integer({ description: 'Unix seconds' }),
  completed_at: nullable(Type.Integer({ description: 'Unix seconds' })),
  status: Type.Enum(['in_progress', 'completed', 'incomplete', 'failed'] as const, {
    type: 'string',
  }),
  model: Type.String(),
  output: Type.Array(Type.Object({ type: Type.String() })),
  output_text: Type.Optional(Type.String()),
  error: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  incomplete_details: nullable(Type.Object({ reason: Type.String() })),
  usage: nullable(
    Type.Object({
      input_tokens: count,
      input_tokens_details: Type.Object({ cached_tokens: count }),
      output_tokens: count,
      output_tokens_details: Type.Object({ reasoning_tokens: count }),
      total_tokens: count,
    }),
  ),
});

/** The reply by content type, for the description. The handler sends bytes, which no schema checks. */
export const responseReply = {
  content: {
    'application/json': { schema: responseObject },
    'text/event-stream': {
      schema: Type.String({
        description: 'lines of `data: {…}`, one event each; the last one is `data: [DONE]`',
      }),
    },
  },
};
