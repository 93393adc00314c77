import { Type } from 'typebox';
import { field, flag, integer, listOf, number, oneOf, optional, text } from '../fields.ts';
import { idOf } from './plugin-fields.ts';

const rulesMax = 128;
const ruleCharactersMax = 200;
const retriesMax = 9;

const rule = Type.Refine(
  text({ min: 1, max: ruleCharactersMax }),
  (value) => !/[\n\r\u2028\u2029]/.test(value),
  () => 'must not have a line break',
);

/** Judges each answer of the model against rules. Refused for accounts outside its beta. */
export const alignment = Type.Object(
  {
    id: idOf('alignment'),
    rules: field(listOf(rule, { min: 1, max: rulesMax }), 'Rules of the answer.', ['Be kind.']),
    instruct: optional(flag, 'Whether the model reads the rules.', true),
    max_retries: optional(
      integer(0, retriesMax),
      'Number of further answers after one that breaks a rule, with `enforce`.',
      1,
    ),
    mode: optional(
      oneOf('enforce', 'audit'),
      'Whether an answer that breaks a rule is withheld, or only told.',
      'enforce',
    ),
    threshold: optional(number(0, 1), 'The probability from which on a rule is broken.', 0.7),
  },
  { additionalProperties: false },
);
