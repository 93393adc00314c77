import { Type } from 'typebox';
import { field, kind, kindOf, listOf, oneOf, optional, text } from '../fields.ts';
import { openMark } from '../problems.ts';
import { limits } from '../service-fields/limits.ts';
import {
  answerSchema,
  frequency_penalty,
  image_config,
  modalities,
  parallel_tool_calls,
  presence_penalty,
  schemaDescription,
  schemaName,
  service_tier,
  strict,
  thoughtFields,
  top_k,
  top_logprobs,
  verbosity,
} from '../service-fields/model-options.ts';

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
  Type.Object({ type: kindOf('text', 'json_object') }),
  Type.Object({
    type: kind('json_schema'),
    schema: answerSchema,
    name: schemaName,
    description: schemaDescription,
    strict,
  }),
]);

/** The settings of the model. */
export const optionFields = {
  text: optional(
    Type.Object({
      verbosity,
      format: optional(textFormat, 'The form of the answer.'),
    }),
    'The form and the length of the answer.',
  ),
  include: optional(
    listOf(Type.Union([oneOf(...includeWords), otherWord]), { max: limits.includesMax }),
    'More that the answer holds.',
    ['reasoning.encrypted_content'],
  ),
  top_k,
  frequency_penalty,
  presence_penalty,
  top_logprobs,
  reasoning: optional(
    Type.Object({
      context: optional(
        oneOf('auto', 'all_turns', 'current_turn'),
        'Which thoughts of before the model reads.',
      ),
      mode: optional(oneOf('standard', 'pro'), 'How thoroughly the model thinks.'),
      ...thoughtFields,
    }),
    'How the model thinks.',
    { effort: 'low' },
  ),
  modalities: modalities('text', 'image'),
  image_config,
  service_tier,
  prompt_cache_options: optional(
    Type.Object({
      mode: field(oneOf('explicit'), 'The way of caching.'),
      ttl: optional(identifier, 'How long the cached prompt lives.', '5m'),
    }),
    'How prompts are cached.',
    { mode: 'explicit' },
  ),
  parallel_tool_calls,
};
