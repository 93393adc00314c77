import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { integer, mapOf, number, oneOf, optional, text } from '../fields.ts';
import { toolOutputPart } from './content.ts';
import { input } from './input.ts';
import { limits } from '../service-fields/limits.ts';
import { optionFields } from './options.ts';
import { metadataPairs, serviceFields } from '../service-fields/fields.ts';
import { toolChoice } from './tool-choice.ts';
import { toolList } from './tools.ts';

const identifier = text({ min: 1, max: limits.identifierCharactersMax });

const prompt = Type.Object({
  id: identifier,
  version: optional(identifier),
  variables: optional(
    mapOf(Type.Union([text(), toolOutputPart], { mustBe: 'a content part' }), {
      maxProperties: limits.promptVariablesMax,
    }),
  ),
});

/** The body of `POST /responses`. Fields that it does not name have no effect. */
export const responsesBody = Type.Object({
  ...serviceFields,
  instructions: optional(text()),
  input: optional(input),
  tools: optional(toolList),
  tool_choice: optional(toolChoice),
  prompt: optional(prompt),
  max_output_tokens: optional(integer(1)),
  temperature: optional(number(0, 2)),
  top_p: optional(number(0, 1)),
  max_tool_calls: optional(integer(1)),
  ...optionFields,
  metadata: optional(metadataPairs),
  truncation: optional(oneOf('auto', 'disabled')),
  store: optional(Type.Literal(false, { mustBe: 'false: responses are not stored' })),
  background: optional(Type.Literal(false, { mustBe: 'false: responses are not stored' })),
  n: optional(Type.Literal(1, { mustBe: '1: a response is one answer' })),
});
export type ResponsesBody = Static<typeof responsesBody>;

const compiled = Compile(responsesBody);

/** True if the schema accepts the body. `problemsOf` tells why it does not. */
export function isResponsesBody(value: unknown): value is ResponsesBody {
  return compiled.Check(value);
}
