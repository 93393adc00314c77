import { responsesBody } from '@sluice/client-schemas';
import { Type } from 'typebox';
import { uuid } from '../../http/schemas/examples.ts';
import { count, nullable, oneOf, text } from '../../http/schemas/fields.ts';

/** The body that routing validates, with an example. */
export const responseBody = {
  ...responsesBody,
  examples: [{ model: 'sim/echo', input: 'Say hello', max_output_tokens: 100 }],
};

const seconds = (description: string) => Type.Integer({ description, examples: [1_795_167_000] });

const usage = Type.Object(
  {
    input_tokens: count('Number of tokens of the question.', 6),
    input_tokens_details: Type.Object(
      { cached_tokens: count('Number of input tokens that the provider had in its cache.') },
      { description: 'What the input tokens are made of.' },
    ),
    output_tokens: count('Number of tokens of the answer.', 3),
    output_tokens_details: Type.Object(
      { reasoning_tokens: count('Number of tokens of thoughts.') },
      { description: 'What the output tokens are made of.' },
    ),
    total_tokens: count('Number of tokens of question and answer.', 9),
    server_tool_use_details: Type.Optional(
      Type.Object(
        {
          tool_calls_requested: count('Number of server-tool calls that the model asked for.', 1),
          tool_calls_executed: count('Number of server-tool calls that ran.', 1),
          web_search_requests: count('Number of web searches among them.', 1),
        },
        { description: 'The calls of server tools; absent: there were none.' },
      ),
    ),
  },
  { description: 'What was used.' },
);
const error = Type.Object(
  {
    code: text('A name of the error for programs.', 'server_error'),
    message: text('A sentence for people.', 'The provider ended the answer.'),
  },
  { description: 'What went wrong; null: nothing.' },
);

export const responseObject = Type.Object({
  id: text('Id of the generation.', uuid),
  object: Type.Literal('response', { description: 'The kind of object.' }),
  created_at: seconds('When it was created, in Unix seconds.'),
  completed_at: nullable(seconds('When the answer was whole, in Unix seconds.')),
  status: oneOf(
    ['in_progress', 'completed', 'incomplete', 'failed'],
    'The state of the answer.',
    'completed',
  ),
  model: text('Slug of the model.', 'sim/echo'),
  output: Type.Array(Type.Object({ type: text('The kind of the item.', 'message') }), {
    description: 'The items of the answer.',
  }),
  output_text: Type.Optional(text('All text of the answer.', 'Hello')),
  error: nullable(error),
  incomplete_details: nullable(
    Type.Object(
      { reason: text('The reason.', 'max_output_tokens') },
      { description: 'Why the answer is not whole; null: it is.' },
    ),
  ),
  usage: nullable(usage),
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
