import { messagesBody } from '@sluice/client-schemas';
import { Type } from 'typebox';
import { nullable } from '../../http/schemas/fields.ts';

/** The body that routing validates, with an example. */
export const messageBody = {
  ...messagesBody,
  examples: [
    { model: 'sim/echo', max_tokens: 100, messages: [{ role: 'user', content: 'Say hello' }] },
  ],
};

const count = Type.Integer({ minimum: 0 });

const message = Type.Object({
  id: Type.String(),
  type: Type.Literal('message'),
  role: Type.Literal('assistant'),
  model: Type.String(),
  content: Type.Array(Type.Object({ type: Type.String() })),
  stop_reason: nullable(Type.String()),
  stop_sequence: nullable(Type.String()),
  stop_details: nullable(
    Type.Object(
      {
        type: Type.Literal('refusal'),
        category: nullable(Type.String()),
        explanation: nullable(Type.String({ description: 'in words' })),
      },
      { description: 'what the provider says of its refusal' },
    ),
  ),
  usage: Type.Optional(
    Type.Object({
      input_tokens: count,
      cache_read_input_tokens: count,
      cache_creation_input_tokens: count,
      output_tokens: count,
      cost: Type.Number({ description: 'USD' }),
    }),
  ),
});

export const countBody = {
  ...messagesBody,
  examples: [{ model: 'sim/echo', messages: [{ role: 'user', content: 'Say hello' }] }],
};

export const tokenCount = Type.Object({ input_tokens: count });

/** The reply by content type, for the description. The handler sends bytes, which no schema checks. */
export const messageReply = {
  content: {
    'application/json': { schema: message },
    'text/event-stream': {
      schema: Type.String({
        description: 'events from `message_start` to `message_stop`, each with its name and `data`',
      }),
    },
  },
};
