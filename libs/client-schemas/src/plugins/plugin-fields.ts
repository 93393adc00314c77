import { Type } from 'typebox';
import { field, flag, listOf, optional, text } from '../fields.ts';
import { limits } from '../service-fields/limits.ts';

/** The name of a plugin. */
export const idOf = <const Id extends string>(id: Id) =>
  Type.Literal(id, { description: 'The plugin.' });

/** A plugin with this setting can be switched off. */
export const enabled = optional(flag, 'Whether it is switched on.', false);

export const slug = text({ min: 1, max: limits.identifierCharactersMax });

const patternsMax = 1_024;
const patternCharactersMax = 1_024;
const allCharactersMax = 65_536;

/** Patterns of models, such as `sim/*`. */
const patternList = Type.Refine(
  listOf(text({ min: 1, max: patternCharactersMax }), { max: patternsMax }),
  (list) => isPatternList(list),
  () => `must have at most ${String(allCharactersMax)} characters in all`,
);

function isPatternList(list: readonly string[]): boolean {
  let characters = 0;
  for (const pattern of list) characters += Array.from(pattern).length;
  return characters <= allCharactersMax;
}

/** Returns true for lists that are together no longer than one list may be. */
export function arePatternsWithin(...lists: readonly (readonly string[] | null | undefined)[]) {
  const all = lists.flatMap((list) => list ?? []);
  return all.length <= patternsMax && isPatternList(all);
}

export const patternsTooMany =
  `must have at most ${String(patternsMax)} patterns ` +
  `and ${String(allCharactersMax)} characters in all`;

export const patterns = (description: string) =>
  field(optional(patternList), description, ['sim/*']);
export const allowed_models = patterns('Patterns of the only models that are chosen.');
export const excluded_models = patterns('Patterns of models that are not chosen.');
