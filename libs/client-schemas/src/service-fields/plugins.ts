import { type Static, Type } from 'typebox';
import { flag, integer, listOf, number, oneOf, optional, text } from '../fields.ts';
import { limits } from './limits.ts';
import { unbuiltPlugins } from './unbuilt.ts';

const rulesMax = 128;
const ruleCharactersMax = 200;

const rule = Type.Refine(
  text({ min: 1, max: ruleCharactersMax }),
  (value) => !/[\n\r\u2028\u2029]/.test(value),
  () => 'must not have a line break',
);

/** Accepted without effect for accounts outside its beta. No account is in it yet. */
const alignment = Type.Object(
  {
    id: Type.Literal('alignment'),
    rules: listOf(rule, { min: 1, max: rulesMax }),
    instruct: optional(flag),
    max_retries: optional(integer(0)),
    mode: optional(oneOf('enforce', 'audit')),
    threshold: optional(number(0, 1)),
  },
  { additionalProperties: false },
);

/** Has the input moderated. It has no settings and no switch. */
const moderation = Type.Object({ id: Type.Literal('moderation') });

const names = Object.keys(unbuiltPlugins) as (keyof typeof unbuiltPlugins)[];
const unbuilt = Type.Object({ id: oneOf(...names), enabled: optional(flag) });

export const plugins = listOf(
  Type.Union([alignment, moderation, unbuilt], { description: 'a plugin' }),
  {
    max: limits.pluginsMax,
  },
);
export type PluginBody = Static<typeof plugins>[number];
