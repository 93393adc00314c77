import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import {
  anyObject,
  anything,
  flag,
  formed,
  integer,
  listOf,
  mapOf,
  number,
  oneOf,
  optional,
  text,
} from '../fields.ts';
import { efforts, imageConfig } from '../service-fields/model-options.ts';
import { metadataPairs, serviceFields } from '../service-fields/fields.ts';
import { limits } from '../service-fields/limits.ts';
import { messages } from './messages.ts';
import { functionCall, functions, toolChoice, tools } from './tools.ts';

const stopsMax = 4;
const biasMax = 100;
const biasedTokensMax = 1_024;

const named = {
  name: formed('^[A-Za-z0-9_-]{1,64}$', '1 to 64 of the characters A-Z a-z 0-9 _ -'),
  description: optional(text({ max: limits.descriptionCharactersMax })),
};

const responseFormat = Type.Union([
  Type.Object({ type: oneOf('text', 'grammar', 'python') }),
  /** The form of llama.cpp and others before there was json_schema. */
  Type.Object({ type: Type.Literal('json_object'), schema: optional(anyObject) }),
  Type.Object({
    type: Type.Literal('json_schema'),
    json_schema: Type.Object({
      ...named,
      schema: optional(anyObject),
      strict: optional(flag),
    }),
  }),
]);

/** The body of `POST /chat/completions`. Fields that it does not name have no effect. */
export const chatBody = Type.Object({
  ...serviceFields,
  messages,
  tools: optional(tools),
  tool_choice: optional(toolChoice),
  functions: optional(functions),
  function_call: optional(functionCall),
  parallel_tool_calls: optional(flag),
  max_completion_tokens: optional(integer(1)),
  max_tokens: optional(integer(1)),
  temperature: optional(number(0, 2)),
  top_p: optional(number(0, 1)),
  top_k: optional(integer(0)),
  top_a: optional(number(0, 1)),
  min_p: optional(number(0, 1)),
  frequency_penalty: optional(number(-2, 2)),
  presence_penalty: optional(number(-2, 2)),
  repetition_penalty: optional(number(0, 2)),
  seed: optional(integer(Number.MIN_SAFE_INTEGER)),
  stop: optional(
    Type.Union([text(), listOf(text(), { max: stopsMax })], {
      mustBe: 'a string or up to 4 strings',
    }),
  ),
  logit_bias: optional(mapOf(number(-biasMax, biasMax), { maxProperties: biasedTokensMax })),
  logprobs: optional(flag),
  top_logprobs: optional(integer(0, 20)),
  prediction: optional(Type.Object({ type: Type.Literal('content'), content: anything })),
  response_format: optional(responseFormat),
  verbosity: optional(oneOf('low', 'medium', 'high', 'xhigh', 'max')),
  modalities: optional(listOf(oneOf('text', 'image', 'audio'), { max: limits.includesMax })),
  image_config: optional(imageConfig),
  reasoning: optional(
    Type.Object({
      effort: optional(efforts),
      max_tokens: optional(integer(0, limits.reasoningTokensMax)),
      enabled: optional(flag),
      summary: optional(oneOf('auto', 'concise', 'detailed')),
      exclude: optional(flag),
    }),
  ),
  reasoning_effort: optional(efforts),
  /** Usage is always sent. */
  stream_options: optional(Type.Object({ include_usage: optional(flag) })),
  service_tier: optional(
    oneOf('auto', 'default', 'fast', 'flex', 'priority', 'scale', 'ultrafast'),
  ),
  metadata: optional(metadataPairs),
  store: optional(Type.Literal(false, { mustBe: 'false: completions are not stored' })),
  n: optional(Type.Literal(1, { mustBe: '1: a completion is one answer' })),
});
export type ChatBody = Static<typeof chatBody>;

const compiled = Compile(chatBody);

/** True if the schema accepts the body. `problemsOf` tells why it does not. */
export function isChatBody(value: unknown): value is ChatBody {
  return compiled.Check(value);
}
