import { Type } from 'typebox';
import {
  anyObject,
  field,
  formed,
  integer,
  number,
  oneOf,
  optional,
  text,
  word,
} from '../fields.ts';
import { limits } from '../service-fields/limits.ts';

const instructionsCharactersMax = 1_048_576;
const temperatureMax = 2;

/** The amount of reasoning of a model that a tool asks. */
export const innerReasoning = optional(
  Type.Object({
    effort: optional(
      oneOf('max', 'xhigh', 'high', 'medium', 'low', 'minimal', 'none'),
      'How much the model thinks.',
    ),
    max_tokens: optional(integer(0, limits.reasoningTokensMax), 'Tokens of thoughts at most.'),
  }),
  'The reasoning of the model.',
);

export const innerTemperature = optional(number(0, temperatureMax), 'The temperature.', 1);

/** A tool of a model that a tool asks. */
export const innerTool = Type.Object({
  type: field(word, 'The kind of the tool.', 'service:web_search'),
  parameters: optional(anyObject, 'Settings of the tool.', {}),
});

export const innerModel = (what: string) => optional(word, what, 'sim/echo');

/** The settings of a tool that asks a model, and may stand in a request several times. */
export const instanceSettings = {
  name: optional(
    field(
      formed(
        String.raw`^(?=.*\S)[A-Za-z0-9 _-]{1,64}$`,
        '1 to 64 of A-Z, a-z, 0-9, space, _ and -',
      ),
      'The name of the instance.',
      'reviewer',
    ),
    'The name of the instance. One instance may have none.',
    'reviewer',
  ),
  instructions: optional(
    text({ max: instructionsCharactersMax }),
    'The prompt of the system for the model.',
  ),
  max_completion_tokens: optional(integer(1), 'Tokens of an answer at most.', 1_000),
  reasoning: innerReasoning,
  temperature: innerTemperature,
};
