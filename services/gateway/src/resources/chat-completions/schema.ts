import { chatBody } from '@sluice/client-schemas';
import { Type } from 'typebox';
import { nullable } from '../../http/schemas/fields.ts';

/** The body that routing validates, with an example. */
export const completionBody = {
  ...chatBody,
  examples: [{ model: 'sim/echo', messages: [{ role: 'user', content: 'Say hello' }] }],
};

const count = Type.Integer({ minimum: 0 });

const completion = Type.Object({
  id: Type.String(),
  object: Type.Literal('chat.completion'),
  created: Type.Integer({ description: 'Unix seconds' }),
  model: Type.String(),
  choices: Type.Array(
    Type.Object({
      index: count,
      finish_reason: Type.Enum(
        ['stop', 'length', 'tool_calls', 'function_call', 'content_filter', 'error'] as const,
        { type: 'string' },
      ),
      native_finish_reason: nullable(Type.String()),
      message: Type.Object({
        role: Type.Literal('assistant'),
        content: nullable(Type.String()),
        refusal: nullable(Type.String()),
        reasoning: Type.Optional(Type.String()),
        reasoning_details: Type.Optional(
          Type.Array(
            Type.Object({
              type: Type.String(),
              id: Type.String(),
              index: count,
              format: Type.String(),
            }),
          ),
        ),
        tool_calls: Type.Optional(
          Type.Array(Type.Object({ id: Type.String(), type: Type.String() })),
        ),
      }),
      logprobs: nullable(Type.Object({})),
    }),
  ),
  system_fingerprint: nullable(Type.String()),
  usage: Type.Optional(
    Type.Object({
      prompt_tokens: count,
      completion_tokens: count,
      total_tokens: count,
      prompt_tokens_details: Type.Object({ cached_tokens: count }),
      completion_tokens_details: Type.Object({ reasoning_tokens: count }),
      cost: Type.Number({ description: 'USD' }),
    }),
  ),
});

/** The reply by content type, for the description. The handler sends bytes, which no schema checks. */
export const completionReply = {
  content: {
    'application/json': { schema: completion },
    'text/event-stream': {
      schema: Type.String({
        description:
          'lines of `data: {…}`, one chunk each; the last one is `data: [DONE]`. Before it, an answer that broke has ' +
          'a line with `error` alone',
      }),
    },
  },
};
