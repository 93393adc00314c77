import { chatBody } from '@sluice/client-schemas';
import { Type } from 'typebox';
import { uuid } from '../../http/schemas/examples.ts';
import { count, nullable, number, oneOf, text } from '../../http/schemas/fields.ts';

/** The body that routing validates, with an example. */
export const completionBody = {
  ...chatBody,
  examples: [{ model: 'sim/echo', messages: [{ role: 'user', content: 'Say hello' }] }],
};

const reasoningDetail = Type.Object({
  type: text('The kind of the detail.', 'reasoning.text'),
  id: text('Id of the thought.', uuid),
  index: count('The number of the thought, from 0. Its details share it.'),
  format: text('The format of the thought.', 'openai-responses-v1'),
});
const toolCall = Type.Object({
  id: text('Id of the call.', 'call_1'),
  type: text('The kind of the tool.', 'function'),
});

const message = Type.Object(
  {
    role: Type.Literal('assistant', { description: 'The author: the model.' }),
    content: nullable(text('The text of the answer.', 'Hello')),
    refusal: nullable(text('Why the model refused.', 'I cannot help with that.')),
    reasoning: Type.Optional(text('The thoughts of the model.', 'The user greets.')),
    reasoning_details: Type.Optional(
      Type.Array(reasoningDetail, {
        description: 'Thoughts with what their maker needs to read them again.',
      }),
    ),
    tool_calls: Type.Optional(Type.Array(toolCall, { description: 'Calls of tools.' })),
  },
  { description: 'The answer.' },
);

const choice = Type.Object({
  index: count('The number of the choice, from 0.'),
  finish_reason: oneOf(
    ['stop', 'length', 'tool_calls', 'function_call', 'content_filter', 'error'],
    'Why the answer ended.',
  ),
  native_finish_reason: nullable(
    text('Why the answer ended, in the word of the provider.', 'stop'),
  ),
  message,
  logprobs: nullable(Type.Object({}, { description: 'Log probabilities of the tokens.' })),
});

const usage = Type.Object(
  {
    prompt_tokens: count('Number of tokens of questions.', 240),
    completion_tokens: count('Number of tokens of answers.', 120),
    total_tokens: count('Number of tokens of question and answer.', 360),
    prompt_tokens_details: Type.Object(
      { cached_tokens: count('Number of input tokens that the provider had in its cache.') },
      { description: 'Tokens of the input by kind.' },
    ),
    completion_tokens_details: Type.Object(
      { reasoning_tokens: count('Number of tokens of thoughts.') },
      { description: 'Tokens of the answer by kind.' },
    ),
    cost: number('What the request costs the account, in USD.', 0.000_012),
  },
  { description: 'What was used.' },
);

const completion = Type.Object({
  id: text('Id of the generation.', 'gen-1795167000-AbCdEf'),
  object: Type.Literal('chat.completion', { description: 'The kind of object.' }),
  created: Type.Integer({
    description: 'When the answer was made, in Unix seconds.',
    examples: [1_750_000_000],
  }),
  model: text('Slug of the model.', 'sim/echo'),
  choices: Type.Array(choice, { description: 'The answer, as a list of one.' }),
  system_fingerprint: nullable(text('Always null.')),
  usage: Type.Optional(usage),
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
