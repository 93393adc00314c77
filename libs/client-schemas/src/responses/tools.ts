import { type Static, Type } from 'typebox';
import {
  anyObject,
  flag,
  formed,
  listOf,
  mapOf,
  anything,
  oneOf,
  optional,
  text,
} from '../fields.ts';
import { otherThan } from '../open-kind.ts';
import { limits } from '../service-fields/limits.ts';
import { nativeTools } from './native-tools.ts';
import { unbuiltTools } from '../service-fields/unbuilt.ts';

const description = text({ max: limits.descriptionCharactersMax });
const name = formed('^[A-Za-z0-9_-]{1,64}$', '1 to 64 of the characters A-Z a-z 0-9 _ -');

const functionFields = {
  type: Type.Literal('function'),
  name,
  description: optional(description),
  parameters: optional(anyObject),
  strict: optional(flag),
  async: optional(flag),
  defer_loading: optional(flag),
};

const functionTool = Type.Object(functionFields);
const innerFunction = Type.Object({
  ...functionFields,
  allowed_callers: optional(listOf(oneOf('direct', 'programmatic'))),
  output_schema: optional(mapOf(anything)),
});

const grammar = Type.Union([
  Type.Object({ type: Type.Literal('text') }),
  Type.Object({
    type: Type.Literal('grammar'),
    syntax: oneOf('lark', 'regex'),
    definition: text(),
  }),
]);

const customTool = Type.Object({
  type: Type.Literal('custom'),
  name,
  description: optional(description),
  async: optional(flag),
  defer_loading: optional(flag),
  format: optional(grammar),
});

const tool = { mustBe: 'a tool' };

/** Functions and custom tools under one name. */
const namespace = Type.Object({
  type: Type.Literal('namespace'),
  name,
  description,
  tools: listOf(Type.Union([innerFunction, customTool], tool), { max: limits.toolsMax }),
});

export type FunctionToolBody = Static<typeof functionTool>;
export type CustomToolBody = Static<typeof customTool>;
export type NamespaceBody = Static<typeof namespace>;

/** Known, and refused: nothing runs them yet. */
const unbuiltTool = Type.Object({ type: oneOf(...unbuiltTools) });

const kinds = [functionTool, customTool, namespace, ...nativeTools, unbuiltTool] as const;
export const toolBody = Type.Union([...kinds, otherThan(kinds)], tool);
export type ToolBody = Static<typeof toolBody>;

export const toolList = listOf(toolBody, { max: limits.toolsMax });
