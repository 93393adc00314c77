import { embeddingsBody } from '@sluice/client-schemas';
import { Type } from 'typebox';

/** The body that routing validates, with an example. */
export const embeddingsRequest = {
  ...embeddingsBody,
  examples: [{ model: 'sim/embedding', input: ['first text', 'second text'] }],
};

const count = Type.Integer({ minimum: 0 });
const usd = Type.Number({ minimum: 0 });

export const embeddingList = Type.Object({
  object: Type.Literal('list'),
  id: Type.String({ description: 'The id of the generation.' }),
  model: Type.String(),
  data: Type.Array(
    Type.Object({
      object: Type.Literal('embedding'),
      index: Type.Integer({ minimum: 0, description: 'The place of the input.' }),
      embedding: Type.Union([Type.Array(Type.Number()), Type.String()], {
        description: 'The numbers, or the base64 of 32-bit floats in little-endian order.',
      }),
    }),
  ),
  usage: Type.Object({
    prompt_tokens: count,
    total_tokens: count,
    prompt_tokens_details: Type.Optional(Type.Object({ cached_tokens: count })),
    cost: usd,
    cost_details: Type.Object({
      upstream_inference_cost: Type.Optional(usd),
      upstream_inference_input_cost: usd,
      upstream_inference_output_cost: usd,
      upstream_inference_prompt_cost: usd,
      upstream_inference_completions_cost: usd,
    }),
    is_byok: Type.Boolean(),
  }),
});
