import type { PropertyText } from './property-text.ts';

/** Properties of requests for vectors, and of the usage in their answers. */
export const embeddingProperties: Readonly<Record<string, PropertyText>> = {
  cost: ['What the request costs the account, in USD.', 0.000_012],
  cost_details: ['The cost in parts.', undefined],
  dimensions: ['The length of each vector, if the model can choose it.', 256],
  encoding_format: ['The form of each vector: numbers, or base64 of 32-bit floats.', 'base64'],
  input_type: ['The use of the vectors. Models that have no uses ignore it.', 'search_query'],
  prompt_tokens_details: ['Parts of the prompt tokens.', { cached_tokens: 0 }],
  upstream_inference_input_cost: ['The cost of the input at list prices, in USD.', 0.000_012],
  upstream_inference_output_cost: ['The cost of the output at list prices, in USD.', 0],
  upstream_inference_prompt_cost: ['The same as `upstream_inference_input_cost`.', 0.000_012],
  upstream_inference_completions_cost: ['The same as `upstream_inference_output_cost`.', 0],
};
