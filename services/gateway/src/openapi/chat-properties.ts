import type { PropertyText } from './property-text.ts';

/** Properties of chat completions. */
export const chatProperties: Readonly<Record<string, PropertyText>> = {
  choices: ['The answer, as a list of one.', []],
  completion_tokens_details: ['Tokens of the answer by kind.', { reasoning_tokens: 0 }],
  custom: ['A tool whose input is free text.', { name: 'patch' }],
  exclude: ['Whether thoughts are left out of the answer. They are charged all the same.', false],
  function_call: ['A call in the form before there were tools.', { name: 'f', arguments: '{}' }],
  functions: ['Tools in the form before there were others than functions.', []],
  grammar: ['The grammar that the input follows.', { syntax: 'regex', definition: 'a+' }],
  images: ['Pictures that the model made.', []],
  include_usage: ['Without effect: usage is always sent.', true],
  index: ['Its number, from 0. Details of one thought share it.', 0],
  json_schema: ['The name and the schema of the answer.', { name: 'answer', schema: {} }],
  logit_bias: ['An addition to the score of a token, by its id.', { 50256: -100 }],
  logprobs: [
    'Log probabilities of the tokens of the answer; as a field: whether they are wanted.',
    null,
  ],
  min_p: ['The least probability of a token, beside that of the likeliest.', 0.05],
  prediction: ['A text that much of the answer repeats.', { type: 'content', content: 'a' }],
  prompt_tokens_details: ['Tokens of the input by kind.', { cached_tokens: 0 }],
  reasoning_content: ['The name of others for `reasoning`.', 'The user greets.'],
  reasoning_details: ['Thoughts with what their maker needs to read them again.', []],
  reasoning_effort: ['How much the model thinks: the short form of `reasoning.effort`.', 'low'],
  response_format: ['The form of the answer.', { type: 'json_object' }],
  seed: ['Equal seeds make equal answers likelier.', 7],
  stream_options: ['Settings of a stream.', { include_usage: true }],
  system_fingerprint: ['Always null.', null],
  tool_call_id: ['The id of the call that is answered.', 'call_1'],
  tool_calls: ['Calls of tools.', []],
  top_a: ['Tokens are left out by the square of the probability of the likeliest.', 0],
};
