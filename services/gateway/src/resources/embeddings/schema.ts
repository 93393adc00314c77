import { embeddingsBody } from '@sluice/client-schemas';
import { Type } from 'typebox';
import { uuid } from '../../http/schemas/examples.ts';
import { count, flag, text } from '../../http/schemas/fields.ts';

/** The body that routing validates, with an example. */
export const embeddingsRequest = {
  ...embeddingsBody,
  examples: [{ model: 'sim/embedding', input: ['first text', 'second text'] }],
};

const usd = (description: string, example = 0) =>
  Type.Number({ minimum: 0, description, examples: [example] });

/** The cost of a call, in fields of its usage. */
export const inferenceCost = {
  cost: usd('What the request costs the account, in USD.', 0.000_012),
  cost_details: Type.Object(
    {
      upstream_inference_cost: Type.Optional(usd('What the provider charged, in USD.', 0.000_02)),
      upstream_inference_input_cost: usd(
        'The cost of the input at list prices, in USD.',
        0.000_012,
      ),
      upstream_inference_output_cost: usd('The cost of the output at list prices, in USD.'),
      upstream_inference_prompt_cost: usd(
        'The same as `upstream_inference_input_cost`.',
        0.000_012,
      ),
      upstream_inference_completions_cost: usd('The same as `upstream_inference_output_cost`.'),
    },
    { description: 'The cost in parts.' },
  ),
  is_byok: flag('Whether an own provider credential was used.', false),
};

const usage = Type.Object(
  {
    prompt_tokens: count('Number of tokens of questions.', 240),
    total_tokens: count('Number of tokens of question and answer.', 240),
    prompt_tokens_details: Type.Optional(
      Type.Object(
        { cached_tokens: count('Number of input tokens that the provider had in its cache.') },
        { description: 'Tokens of the input by kind.' },
      ),
    ),
    ...inferenceCost,
  },
  { description: 'What was used.' },
);

const vector = Type.Object({
  object: Type.Literal('embedding', { description: 'The kind of object.' }),
  index: count('The place of the input.'),
  embedding: Type.Union([Type.Array(Type.Number()), Type.String()], {
    description: 'The numbers, or the base64 of 32-bit floats in little-endian order.',
  }),
});

export const embeddingList = Type.Object({
  object: Type.Literal('list', { description: 'The kind of object.' }),
  id: text('Id of the generation.', uuid),
  model: text('Slug of the model.', 'sim/echo'),
  data: Type.Array(vector, { description: 'The vectors, in the order of the input.' }),
  usage,
});
