import { messagesBody } from '@sluice/client-schemas';
import { Type } from 'typebox';
import { uuid } from '../../http/schemas/examples.ts';
import { count, nullable, number, text } from '../../http/schemas/fields.ts';

/** The body that routing validates, with an example. */
export const messageBody = {
  ...messagesBody,
  examples: [
    { model: 'sim/echo', max_tokens: 100, messages: [{ role: 'user', content: 'Say hello' }] },
  ],
};

const inputTokens = count('Number of tokens of the question.', 6);

const stopDetails = Type.Object(
  {
    type: Type.Literal('refusal', { description: 'The kind of the end.' }),
    category: nullable(text('The kind of the refusal.', 'cyber')),
    explanation: nullable(text('The explanation in words.')),
  },
  { description: 'What the provider says of its refusal.' },
);
const usage = Type.Object(
  {
    input_tokens: inputTokens,
    cache_read_input_tokens: count('Number of input tokens that were read from a cache.'),
    cache_creation_input_tokens: count('Number of input tokens that were written to a cache.'),
    output_tokens: count('Number of tokens of the answer.', 3),
    cost: number('What the request costs the account, in USD.', 0.000_012),
  },
  { description: 'What was used.' },
);
const block = Type.Object({ type: text('The kind of the block.') });

const message = Type.Object({
  id: text('Id of the generation.', uuid),
  type: Type.Literal('message', { description: 'The kind of object.' }),
  role: Type.Literal('assistant', { description: 'The author: the model.' }),
  model: text('Slug of the model.', 'sim/echo'),
  content: Type.Array(block, { description: 'The blocks of the answer.' }),
  stop_reason: nullable(text('The reason why the answer ended.', 'end_turn')),
  stop_sequence: nullable(text('The text of `stop_sequences` that ended the answer.')),
  stop_details: nullable(stopDetails),
  usage: Type.Optional(usage),
});

export const countBody = {
  ...messagesBody,
  examples: [{ model: 'sim/echo', messages: [{ role: 'user', content: 'Say hello' }] }],
};

export const tokenCount = Type.Object({ input_tokens: inputTokens });

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
