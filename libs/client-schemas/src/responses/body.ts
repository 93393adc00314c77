import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { flag, integer, listOf, mapOf, number, oneOf, optional, text, word } from '../fields.ts';
import { toolOutputPart } from './content.ts';
import { input } from './input.ts';
import { limits } from './limits.ts';
import { optionFields } from './options.ts';
import { plugins } from './plugins.ts';
import { preferenceFields } from './preferences.ts';
import { toolChoice } from './tool-choice.ts';
import { toolList } from './tools.ts';

const identifier = text({ min: 1, max: limits.identifierCharactersMax });

const metadataKey = Type.Refine(
  text({ max: limits.metadataKeyCharactersMax }),
  (key) => !/[[\]]/.test(key),
  () => 'must not have brackets',
);

const user = Type.Refine(
  identifier,
  (value) => !/\p{Cc}/u.test(value),
  () => 'must not have control characters',
);

const prompt = Type.Object({
  id: identifier,
  version: optional(identifier),
  variables: optional(
    mapOf(Type.Union([text(), toolOutputPart], { description: 'a content part' }), {
      maxProperties: limits.promptVariablesMax,
    }),
  ),
});

const traceWord = optional(text({ max: limits.identifierCharactersMax }));
/** Any other field may stand beside these. */
const trace = Type.Object({
  trace_id: traceWord,
  trace_name: traceWord,
  span_name: traceWord,
  generation_name: traceWord,
  parent_span_id: traceWord,
});

const stopCondition = Type.Union([
  Type.Object({ type: Type.Literal('step_count_is'), step_count: integer(1) }),
  Type.Object({ type: Type.Literal('has_tool_call'), tool_name: word }),
  Type.Object({ type: Type.Literal('max_tokens_used'), max_tokens: integer(1) }),
  Type.Object({ type: Type.Literal('max_cost'), max_cost_in_dollars: number(0) }),
  Type.Object({ type: Type.Literal('finish_reason_is'), reason: word }),
]);

/** The body of `POST /responses`. Fields that it does not name have no effect. */
export const responsesBody = Type.Object({
  ...preferenceFields,
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
  metadata: optional(
    mapOf(text({ max: limits.metadataValueCharactersMax }), {
      maxProperties: limits.metadataPairsMax,
      propertyNames: metadataKey,
    }),
  ),
  user: optional(user),
  session_id: optional(text({ max: limits.identifierCharactersMax })),
  safety_identifier: optional(text({ max: limits.safetyIdentifierCharactersMax })),
  trace: optional(trace),
  stream: optional(flag),
  debug: optional(Type.Object({ echo_upstream_body: optional(flag) })),
  plugins: optional(plugins),
  truncation: optional(oneOf('auto', 'disabled')),
  stop_server_tools_when: optional(
    listOf(stopCondition, { min: 1, max: limits.stopConditionsMax }),
  ),
  store: optional(Type.Literal(false, { description: 'false: responses are not stored' })),
  background: optional(Type.Literal(false, { description: 'false: responses are not stored' })),
  n: optional(Type.Literal(1, { description: '1: a response is one answer' })),
});
export type ResponsesBody = Static<typeof responsesBody>;

const compiled = Compile(responsesBody);

/** True if the schema accepts the body. `problemsOf` tells why it does not. */
export function isResponsesBody(value: unknown): value is ResponsesBody {
  return compiled.Check(value);
}
