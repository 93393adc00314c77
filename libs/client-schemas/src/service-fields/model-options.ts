import { Type } from 'typebox';
import {
  anyObject,
  anything,
  field,
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
import { limits } from './limits.ts';

// Options of the model that several dialects have, under their names.

export const temperature = (max: number) =>
  optional(number(0, max), 'How much chance there is in the answer.', 1);
export const top_p = optional(number(0, 1), 'The share of likelihood that is chosen from.', 1);
export const top_k = optional(integer(0), 'Number of tokens that are chosen from.', 40);
export const frequency_penalty = optional(
  number(-2, 2),
  'How much repeated tokens are avoided, by how often they came.',
  0,
);
export const presence_penalty = optional(
  number(-2, 2),
  'How much tokens are avoided that came already.',
  0,
);
export const top_logprobs = optional(
  integer(0, 20),
  'Number of alternatives of each token, 0 to 20.',
);
export const max_tokens = optional(integer(1), 'Number of tokens that the answer may have.', 1_024);
export const verbosity = optional(
  oneOf('low', 'medium', 'high', 'xhigh', 'max'),
  'How long the answer is.',
  'medium',
);
export const modalities = <const Words extends string[]>(...words: Words) =>
  optional(listOf(oneOf(...words), { max: limits.includesMax }), 'The media of the answer.');
/** A setting of pictures. The model gives it its meaning. */
export const imageSetting = optional(
  Type.Union([text(), Type.Number(), Type.Array(anything)], {
    mustBe: 'a string, a number or an array',
  }),
);
export const image_config = optional(
  mapOf(imageSetting),
  'Settings of pictures. The model gives them their meaning.',
  { size: '1K' },
);
export const service_tier = optional(
  oneOf('auto', 'default', 'fast', 'flex', 'priority', 'scale', 'ultrafast'),
  'The service tier that is asked for.',
  'default',
);
export const parallel_tool_calls = optional(
  flag,
  'Whether the model may call several tools at once.',
);

export const effort = field(
  oneOf('max', 'xhigh', 'high', 'medium', 'low', 'minimal', 'none'),
  'How much the model thinks.',
  'low',
);
export const thoughtFields = {
  effort: optional(effort),
  max_tokens: optional(
    integer(0, limits.reasoningTokensMax),
    'Number of tokens for thinking.',
    1_024,
  ),
  enabled: optional(flag, 'Whether the model thinks.', false),
  summary: optional(oneOf('auto', 'concise', 'detailed'), 'How long a summary of the thoughts is.'),
};

const words = formed('^[A-Za-z0-9_-]{1,64}$', '1 to 64 of the characters A-Z a-z 0-9 _ -');
export const schemaName = field(words, 'Name of the schema.', 'answer');
export const schemaDescription = optional(
  text({ max: limits.descriptionCharactersMax }),
  'What the schema is for.',
  'An answer with its sources.',
);
export const answerSchema = field(anyObject, 'JSON Schema of the answer.', { type: 'object' });
export const strict = optional(flag, 'Whether the output must follow the schema.');

export const toolName = field(words, 'Name of the tool.', 'get_weather');
export const toolDescription = field(
  text({ max: limits.descriptionCharactersMax }),
  'What the tool does.',
  'Returns the weather of a city.',
);
export const parameters = optional(anyObject, 'JSON Schema of the arguments.', { type: 'object' });
export const defer_loading = optional(
  flag,
  'Whether the model has to search for the tool. The search is not available yet: it sees all tools at once.',
  false,
);
export const grammarFields = {
  syntax: field(oneOf('lark', 'regex'), 'The syntax of the grammar.'),
  definition: field(text(), 'The grammar.', 'start: "yes" | "no"'),
};
