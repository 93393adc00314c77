import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { field, integer, mapOf, oneOf, optional, text } from '../fields.ts';
import { toolOutputPart } from './content.ts';
import { input } from './input.ts';
import { limits } from '../service-fields/limits.ts';
import { optionFields } from './options.ts';
import { metadata, serviceFields } from '../service-fields/fields.ts';
import { toolChoice } from './tool-choice.ts';
import { toolList } from './tools.ts';
import { max_tokens, temperature, top_p } from '../service-fields/model-options.ts';

const identifier = text({ min: 1, max: limits.identifierCharactersMax });

const prompt = Type.Object({
  id: field(identifier, 'Id of the template.', 'pmpt_1'),
  version: optional(identifier, 'Version of the template.', '2'),
  variables: optional(
    mapOf(Type.Union([text(), toolOutputPart], { mustBe: 'a content part' }), {
      maxProperties: limits.promptVariablesMax,
    }),
    'What stands in the places of the template.',
    { city: 'Berlin' },
  ),
});

/** The body of `POST /responses`. Fields that it does not name have no effect. */
export const responsesBody = Type.Object({
  ...serviceFields,
  instructions: optional(text(), 'What the model reads before the input.', 'Be brief.'),
  input: optional(input, 'What the model is asked: a text, or a list of items.', 'Say hello'),
  tools: optional(toolList, 'Tools that the model may call.', []),
  tool_choice: optional(toolChoice, 'Which tool the model must call.', 'auto'),
  prompt: optional(prompt, 'A template of the provider.'),
  max_output_tokens: max_tokens,
  temperature: temperature(2),
  top_p,
  max_tool_calls: optional(integer(1), 'Number of tool calls that the answer may have.', 4),
  ...optionFields,
  metadata,
  truncation: optional(
    oneOf('auto', 'disabled'),
    'Whether an input that is too long may be shortened.',
    'disabled',
  ),
  store: optional(
    Type.Literal(false, { mustBe: 'false: responses are not stored' }),
    'Must be false: responses are not stored.',
  ),
  background: optional(
    Type.Literal(false, { mustBe: 'false: responses are not stored' }),
    'Must be false: responses are not stored.',
  ),
  n: optional(
    Type.Literal(1, { mustBe: '1: a response is one answer' }),
    'Must be 1: a response is one answer.',
  ),
});
export type ResponsesBody = Static<typeof responsesBody>;

const compiled = Compile(responsesBody);

/** True if the schema accepts the body. `problemsOf` lists why it does not. */
export function isResponsesBody(value: unknown): value is ResponsesBody {
  return compiled.Check(value);
}
