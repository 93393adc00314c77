import { type Static, Type } from 'typebox';
import { field, kind, kindOf, listOf, oneOf, optional, text } from '../fields.ts';
import { cache_control } from '../service-fields/cache-control.ts';
import { otherThan } from '../open-kind.ts';
import { serverToolKinds, serverTools } from '../server-tools/index.ts';
import { limits } from '../service-fields/limits.ts';
import {
  defer_loading,
  grammarFields,
  parameters,
  strict,
  toolDescription,
  toolName,
} from '../service-fields/model-options.ts';

const functionFields = {
  name: toolName,
  description: optional(toolDescription),
  parameters,
  strict,
  defer_loading,
};
const functionTool = Type.Object({
  type: kind('function'),
  function: field(Type.Object(functionFields), 'The function.'),
  defer_loading,
  cache_control,
});

const customFormat = Type.Union([
  Type.Object({ type: kind('text') }),
  Type.Object({
    type: kind('grammar'),
    grammar: field(Type.Object(grammarFields), 'The grammar that the input follows.'),
  }),
]);
const customTool = Type.Object({
  type: kind('custom'),
  custom: field(
    Type.Object({
      name: toolName,
      description: optional(toolDescription),
      format: optional(customFormat, 'The form of the input.'),
    }),
    'A tool whose input is free text.',
  ),
  defer_loading,
});

const kinds = [functionTool, customTool, ...serverTools] as const;
const tool = Type.Union([...kinds, otherThan(kinds)], { mustBe: 'a tool' });
export type ChatToolBody = Static<typeof tool>;

export const tools = listOf(tool, { max: limits.toolsMax });
/** The form of tools before there were others than functions. */
export const functions = listOf(Type.Object(functionFields), { max: limits.toolsMax });

const namedFunction = Type.Object({ name: field(text(), 'Name of the tool.', 'get_weather') });
const named = [
  Type.Object({ type: kind('function'), function: field(namedFunction, 'The function.') }),
  Type.Object({
    type: kind('custom'),
    custom: field(namedFunction, 'The custom tool.'),
  }),
] as const;
const allowed = Type.Object({
  type: kind('allowed_tools'),
  allowed_tools: field(
    Type.Object({
      mode: field(oneOf('auto', 'required'), 'Whether the model must call one.'),
      tools: field(
        listOf(Type.Union([...named], { mustBe: 'a function or a custom tool' }), {
          max: limits.toolsMax,
        }),
        'Tools that the model may call.',
      ),
    }),
    'The tools that the model may call.',
  ),
});

export const toolChoice = Type.Union(
  [
    ...named,
    allowed,
    Type.Object({ type: kindOf(...serverToolKinds) }),
    oneOf('auto', 'none', 'required'),
  ],
  { mustBe: 'a tool choice' },
);

export const functionCall = Type.Union([namedFunction, oneOf('auto', 'none')], {
  mustBe: 'auto, none or an object with a name',
});
