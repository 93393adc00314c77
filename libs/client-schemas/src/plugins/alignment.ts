import { Type } from 'typebox';
import { field, flag, integer, listOf, number, oneOf, optional, text } from '../fields.ts';
import { idOf } from './plugin-fields.ts';

const rulesMax = 128;
const ruleCharactersMax = 200;

const rule = Type.Refine(
  text({ min: 1, max: ruleCharactersMax }),
  (value) => !/[\n\r\u2028\u2029]/.test(value),
  () => 'must not have a line break',
);

/** Refused for accounts outside its beta. No account is in it yet. */
export const alignment = Type.Object(
  {
    id: idOf('alignment'),
    rules: field(listOf(rule, { min: 1, max: rulesMax }), 'Rules of the answer.', ['Be kind.']),
    instruct: optional(flag, 'Whether the model reads the rules.'),
    max_retries: optional(integer(0), 'Number of further attempts.', 1),
    mode: optional(oneOf('enforce', 'audit'), 'Whether broken rules are mended or only reported.'),
    threshold: optional(number(0, 1), 'The score that breaks a rule, 0 to 1.', 0.5),
  },
  { additionalProperties: false },
);
