import { responsesBody } from '@sluice/client-schemas';
import { Type } from 'typebox';
import { nullable } from '../../http/schemas/fields.ts';

/** The body that routing validates, with an example. */
export const responseBody = {
  ...responsesBody,
  examples: [{ model: 'sim/echo', input: 'Say hello', max_output_tokens: 100 }],
};

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
