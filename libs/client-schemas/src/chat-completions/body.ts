import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import {
  anything,
  field,
  flag,
  integer,
  kind,
  kindOf,
  listOf,
  mapOf,
  number,
  optional,
  text,
} from '../fields.ts';
import {
  answerSchema,
  effort,
  frequency_penalty,
  image_config,
  max_tokens,
  modalities,
  parallel_tool_calls,
  presence_penalty,
  schemaDescription,
  schemaName,
  service_tier,
  strict,
  temperature,
  thoughtFields,
  top_k,
  top_logprobs,
  top_p,
  verbosity,
} from '../service-fields/model-options.ts';
import { metadata, serviceFields } from '../service-fields/fields.ts';
import { messages } from './messages.ts';
import { functionCall, functions, toolChoice, tools } from './tools.ts';

const stopsMax = 4;
const biasMax = 100;
const biasedTokensMax = 1_024;

const responseFormat = Type.Union([
  Type.Object({ type: kindOf('text', 'grammar', 'python') }),
  /** The form of llama.cpp and others before there was json_schema. */
  Type.Object({
    type: kind('json_object'),
    schema: optional(answerSchema),
  }),
  Type.Object({
    type: kind('json_schema'),
    json_schema: field(
      Type.Object({
        name: schemaName,
        description: schemaDescription,
        schema: optional(answerSchema),
        strict,
      }),
      'The name and the schema of the answer.',
    ),
  }),
]);

/** The body of `POST /chat/completions`. Fields that it does not name have no effect. */
export const chatBody = Type.Object({
  ...serviceFields,
  messages: field(messages, 'The items of the conversation.'),
  tools: optional(tools, 'Tools that the model may call.', []),
  tool_choice: optional(toolChoice, 'Which tool the model must call.', 'auto'),
  functions: optional(functions, 'Tools in the form before there were others than functions.', []),
  function_call: optional(
    functionCall,
    'Which function the model must call: `auto`, `none` or an object with a name.',
    { name: 'f' },
  ),
  parallel_tool_calls,
  max_completion_tokens: max_tokens,
  max_tokens,
  temperature: temperature(2),
  top_p,
  top_k,
  top_a: optional(
    number(0, 1),
    'Tokens are left out by the square of the probability of the likeliest.',
  ),
  min_p: optional(
    number(0, 1),
    'The least probability of a token, beside that of the likeliest.',
    0.05,
  ),
  frequency_penalty,
  presence_penalty,
  repetition_penalty: optional(number(0, 2), 'How much repetition is avoided.', 1),
  seed: optional(integer(Number.MIN_SAFE_INTEGER), 'Equal seeds make equal answers likelier.', 7),
  stop: optional(
    Type.Union([text(), listOf(text(), { max: stopsMax })], {
      mustBe: 'a string or up to 4 strings',
    }),
    'Texts before which the answer ends: one, or up to 4.',
  ),
  logit_bias: optional(
    mapOf(number(-biasMax, biasMax), { maxProperties: biasedTokensMax }),
    'An addition to the score of a token, by its id.',
    { '50256': -100 },
  ),
  logprobs: optional(flag, 'Whether the log probabilities of the tokens are wanted.'),
  top_logprobs,
  prediction: optional(
    Type.Object({
      type: kind('content'),
      content: field(anything, 'A text, or a list of parts.', 'a'),
    }),
    'A text that much of the answer repeats.',
    { type: 'content', content: 'a' },
  ),
  response_format: optional(responseFormat, 'The form of the answer.', { type: 'json_object' }),
  verbosity,
  modalities: modalities('text', 'image', 'audio'),
  image_config,
  reasoning: optional(
    Type.Object({
      ...thoughtFields,
      exclude: optional(
        flag,
        'Whether thoughts are left out of the answer. They are charged all the same.',
        false,
      ),
    }),
    'How the model thinks.',
    { effort: 'low' },
  ),
  reasoning_effort: optional(
    effort,
    'How much the model thinks: the short form of `reasoning.effort`.',
    'low',
  ),
  /** Usage is always sent. */
  stream_options: optional(
    Type.Object({ include_usage: optional(flag, 'Without effect: usage is always sent.') }),
    'Settings of a stream.',
  ),
  service_tier,
  metadata,
  store: optional(
    Type.Literal(false, { mustBe: 'false: completions are not stored' }),
    'Must be false: completions are not stored.',
  ),
  n: optional(
    Type.Literal(1, { mustBe: '1: a completion is one answer' }),
    'Must be 1: a completion is one answer.',
  ),
});
export type ChatBody = Static<typeof chatBody>;

const compiled = Compile(chatBody);

/** True if the schema accepts the body. `problemsOf` lists why it does not. */
export function isChatBody(value: unknown): value is ChatBody {
  return compiled.Check(value);
}
