import { type Static, Type } from 'typebox';
import { anyObject, flag, formed, listOf, oneOf, optional, text } from '../fields.ts';
import { cacheControl } from '../service-fields/fields.ts';
import { otherThan } from '../open-kind.ts';
import { limits } from '../service-fields/limits.ts';
import { unbuiltTools } from '../service-fields/unbuilt.ts';

const description = optional(text({ max: limits.descriptionCharactersMax }));
const name = formed('^[A-Za-z0-9_-]{1,64}$', '1 to 64 of the characters A-Z a-z 0-9 _ -');

const functionFields = {
  name,
  description,
  parameters: optional(anyObject),
  strict: optional(flag),
  defer_loading: optional(flag),
};
const functionTool = Type.Object({
  type: Type.Literal('function'),
  function: Type.Object(functionFields),
  defer_loading: optional(flag),
  cache_control: optional(cacheControl),
});

const customFormat = Type.Union([
  Type.Object({ type: Type.Literal('text') }),
  Type.Object({
    type: Type.Literal('grammar'),
    grammar: Type.Object({ syntax: oneOf('lark', 'regex'), definition: text() }),
  }),
]);
const customTool = Type.Object({
  type: Type.Literal('custom'),
  custom: Type.Object({ name, description, format: optional(customFormat) }),
  defer_loading: optional(flag),
});

/** Known, and refused: nothing runs them yet. */
const unbuiltTool = Type.Object({ type: oneOf(...unbuiltTools) });

const kinds = [functionTool, customTool, unbuiltTool] as const;
const tool = Type.Union([...kinds, otherThan(kinds)], { mustBe: 'a tool' });
export type ChatToolBody = Static<typeof tool>;

export const tools = listOf(tool, { max: limits.toolsMax });
/** The form of tools before there were others than functions. */
export const functions = listOf(Type.Object(functionFields), { max: limits.toolsMax });

const namedFunction = Type.Object({ name: text() });
const named = [
  Type.Object({ type: Type.Literal('function'), function: namedFunction }),
  Type.Object({ type: Type.Literal('custom'), custom: namedFunction }),
] as const;
const allowed = Type.Object({
  type: Type.Literal('allowed_tools'),
  allowed_tools: Type.Object({
    mode: oneOf('auto', 'required'),
    tools: listOf(Type.Union([...named], { mustBe: 'a function or a custom tool' }), {
      max: limits.toolsMax,
    }),
  }),
});

export const toolChoice = Type.Union(
  [
    ...named,
    allowed,
    Type.Object({ type: oneOf(...unbuiltTools) }),
    oneOf('auto', 'none', 'required'),
  ],
  { mustBe: 'a tool choice' },
);
export type ChatToolChoiceBody = Static<typeof toolChoice>;

export const functionCall = Type.Union([namedFunction, oneOf('auto', 'none')], {
  mustBe: 'auto, none or an object with a name',
});
