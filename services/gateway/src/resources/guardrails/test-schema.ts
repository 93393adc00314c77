import { Type, type Static } from 'typebox';
import { closed, flag, oneOf, text, whole } from '../../http/schemas/fields.ts';
import { reply } from '../../http/schemas/replies.ts';

const testCharactersMax = 100_000;
export const testGuardrailBody = Type.Object(
  {
    text: Type.String({
      minLength: 1,
      maxLength: testCharactersMax,
      mustBe: `a text of 1 to ${testCharactersMax} characters`,
      description: 'The text to test.',
      examples: ['My SSN is 123-45-6789.'],
    }),
    role: Type.Optional(
      oneOf(['user', 'assistant', 'system', 'developer', 'tool'], 'Who would write the text.'),
    ),
  },
  closed,
);

const detection = Type.Object({
  filter: text('The filter that found it.', 'ssn'),
  label: text('What stands in the place of a match.', '[SSN]'),
  action: text('What the filter does with a match.', 'redact'),
  pattern: text('The regular expression that matched.', '[0-9]{16}'),
  start: whole('Where it begins, in UTF-16 code units.', 10),
  end: whole('Where it ends, exclusive, in UTF-16 code units.', 21),
});
export const guardrailTestView = Type.Object({
  action: oneOf(
    ['passed', 'flagged', 'redacted', 'blocked'],
    'What would happen to the text.',
    'redacted',
  ),
  detections: Type.Array(detection, { description: 'What was found, in the order of the text.' }),
  detections_omitted: whole('How many more were found.'),
  redacted_text: text('The text as a provider would get it.', 'My SSN is [SSN].'),
  timed_out: flag('Whether the time was up before the whole text was searched.', false),
});
export type GuardrailTestView = Static<typeof guardrailTestView>;
export const guardrailTestReply = reply(guardrailTestView);
