import { Type } from 'typebox';
import {
  anyObject,
  flag,
  formed,
  integer,
  listOf,
  number,
  oneOf,
  optional,
  text,
} from '../fields.ts';
import { openMark } from '../problems.ts';
import { limits } from '../service-fields/limits.ts';
import { efforts, imageConfig } from '../service-fields/model-options.ts';

const identifier = text({ max: limits.identifierCharactersMax });

/** Parts of an answer that it does not have unless they are asked for. */
export const includeWords = [
  'code_interpreter_call.outputs',
  'computer_call_output.output.image_url',
  'file_search_call.results',
  'message.input_image.image_url',
  'message.output_text.logprobs',
  'reasoning.encrypted_content',
  'web_search_call.action.sources',
] as const;
/** A word that the contract does not name. */
const otherWord = Type.String({ pattern: '^[A-Za-z0-9_.]{1,64}$', ...openMark });

const textFormat = Type.Union([
  Type.Object({ type: oneOf('text', 'json_object') }),
  Type.Object({
    type: Type.Literal('json_schema'),
    schema: anyObject,
    name: formed('^[A-Za-z0-9_-]{1,64}$', '1 to 64 of the characters A-Z a-z 0-9 _ -'),
    description: optional(text({ max: limits.descriptionCharactersMax })),
    strict: optional(flag),
  }),
]);

/** The settings of the model. */
export const optionFields = {
  text: optional(
    Type.Object({
      verbosity: optional(oneOf('low', 'medium', 'high', 'xhigh', 'max')),
      format: optional(textFormat),
    }),
  ),
  include: optional(
    listOf(Type.Union([oneOf(...includeWords), otherWord]), { max: limits.includesMax }),
  ),
  top_k: optional(integer(0)),
  frequency_penalty: optional(number(-2, 2)),
  presence_penalty: optional(number(-2, 2)),
  top_logprobs: optional(integer(0, 20)),
  reasoning: optional(
    Type.Object({
      context: optional(oneOf('auto', 'all_turns', 'current_turn')),
      mode: optional(oneOf('standard', 'pro')),
      effort: optional(efforts),
      max_tokens: optional(integer(0, limits.reasoningTokensMax)),
      enabled: optional(flag),
      summary: optional(oneOf('auto', 'concise', 'detailed')),
    }),
  ),
  modalities: optional(listOf(oneOf('text', 'image'), { max: limits.includesMax })),
  image_config: optional(imageConfig),
  service_tier: optional(
    oneOf('auto', 'default', 'fast', 'flex', 'priority', 'scale', 'ultrafast'),
  ),
  prompt_cache_options: optional(
    Type.Object({ mode: oneOf('explicit'), ttl: optional(identifier) }),
  ),
  parallel_tool_calls: optional(flag),
};
