import { type Static, Type } from 'typebox';
import { flag, integer, listOf, mapOf, number, oneOf, optional, text, word } from '../fields.ts';
import { limits } from './limits.ts';
import { plugins } from './plugins.ts';
import { preferenceFields } from './preferences.ts';

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

/** At most 16 pairs of texts. */
export const metadataPairs = mapOf(text({ max: limits.metadataValueCharactersMax }), {
  maxProperties: limits.metadataPairsMax,
  propertyNames: metadataKey,
});

export const cacheControl = Type.Object({
  type: oneOf('ephemeral'),
  ttl: optional(oneOf('5m', '1h')),
});

/** The fields that every dialect has beside those of its format (contract inference.md 2). */
export const serviceFields = {
  ...preferenceFields,
  user: optional(user),
  session_id: optional(text({ max: limits.identifierCharactersMax })),
  safety_identifier: optional(text({ max: limits.safetyIdentifierCharactersMax })),
  trace: optional(trace),
  stream: optional(flag),
  debug: optional(Type.Object({ echo_upstream_body: optional(flag) })),
  plugins: optional(plugins),
  unsupported_features: optional(oneOf('lenient', 'strict')),
  cache_control: optional(cacheControl),
  prompt_cache_key: optional(text({ max: limits.identifierCharactersMax })),
  stop_server_tools_when: optional(
    listOf(stopCondition, { min: 1, max: limits.stopConditionsMax }),
  ),
};
const serviceBody = Type.Object(serviceFields);
export type ServiceBody = Static<typeof serviceBody>;
