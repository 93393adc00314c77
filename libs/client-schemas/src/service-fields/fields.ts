import { type Static, Type } from 'typebox';
import {
  field,
  flag,
  integer,
  kind,
  listOf,
  mapOf,
  number,
  oneOf,
  optional,
  text,
  word,
} from '../fields.ts';
import { plugins } from '../plugins/index.ts';
import { cache_control } from './cache-control.ts';
import { limits } from './limits.ts';
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
  trace_id: field(traceWord, 'Id of the trace.', 'trace-1'),
  trace_name: field(traceWord, 'Name of the trace.', 'nightly'),
  span_name: field(traceWord, 'Name of the span.', 'search'),
  generation_name: field(traceWord, 'Name of the generation.', 'answer'),
  parent_span_id: field(traceWord, 'Id of the span that this one is part of.', 'span-1'),
});

const stopCondition = Type.Union([
  Type.Object({
    type: kind('step_count_is'),
    step_count: field(integer(1), 'Number of steps that ends the loop of tools.', 5),
  }),
  Type.Object({
    type: kind('has_tool_call'),
    tool_name: field(word, 'The tool whose call ends the loop.', 'submit'),
  }),
  Type.Object({
    type: kind('max_tokens_used'),
    max_tokens: field(integer(1), 'Number of tokens that ends the loop of tools.', 1_024),
  }),
  Type.Object({
    type: kind('max_cost'),
    max_cost_in_dollars: field(number(0), 'The cost that ends the loop of tools, in USD.', 0.5),
  }),
  Type.Object({
    type: kind('finish_reason_is'),
    reason: field(word, 'The reason of an end that ends the loop.', 'length'),
  }),
]);

/** At most 16 pairs of texts. */
const metadataPairs = mapOf(text({ max: limits.metadataValueCharactersMax }), {
  maxProperties: limits.metadataPairsMax,
  propertyNames: metadataKey,
});

export const metadata = optional(metadataPairs, 'Up to 16 texts that are kept with the answer.', {
  team: 'research',
});

/** The fields that every dialect has beside those of its format (contract inference.md 2). */
export const serviceFields = {
  ...preferenceFields,
  user: optional(user, 'A name for the person that a request is made for.', 'customer-7'),
  session_id: optional(
    text({ max: limits.identifierCharactersMax }),
    'Groups requests that belong together.',
    'chat-7',
  ),
  safety_identifier: optional(
    text({ max: limits.safetyIdentifierCharactersMax }),
    'A pseudonym of the person who asks.',
    'a1b2c3',
  ),
  trace: optional(trace, 'Fields that are kept with the generation.', { trace_id: 'trace-1' }),
  stream: optional(flag, 'Whether the answer comes as events.', false),
  debug: optional(
    Type.Object({
      echo_upstream_body: optional(
        flag,
        'Whether the answer repeats what was sent to the provider.',
      ),
    }),
    'Requests for more information.',
    {},
  ),
  plugins: optional(plugins, 'Plugins and their settings.', [{ id: 'moderation' }]),
  unsupported_features: optional(
    oneOf('lenient', 'strict'),
    'Whether features that nothing serves are left out and named, or refused.',
  ),
  cache_control,
  prompt_cache_key: optional(
    text({ max: limits.identifierCharactersMax }),
    'Groups requests whose prompts begin alike.',
    'support',
  ),
  stop_server_tools_when: optional(
    listOf(stopCondition, { min: 1, max: limits.stopConditionsMax }),
    'What ends the loop of server tools.',
  ),
};
const serviceBody = Type.Object(serviceFields);
export type ServiceBody = Static<typeof serviceBody>;
