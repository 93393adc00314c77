import { type Static, Type } from 'typebox';
import { anything, field, flag, kind, listOf, mapOf, oneOf, optional } from '../fields.ts';
import { otherThan } from '../open-kind.ts';
import { limits } from '../service-fields/limits.ts';
import { serverTools } from '../server-tools/index.ts';
import { nativeTools } from './native-tools.ts';
import {
  defer_loading,
  grammarFields,
  parameters,
  strict,
  toolDescription,
  toolName,
} from '../service-fields/model-options.ts';

const async = optional(
  flag,
  'Whether the call may be answered later than in the next turn.',
  false,
);

const functionFields = {
  type: kind('function'),
  name: toolName,
  description: optional(toolDescription),
  parameters,
  strict,
  async,
  defer_loading,
};

const functionTool = Type.Object(functionFields);
const innerFunction = Type.Object({
  ...functionFields,
  allowed_callers: optional(
    listOf(oneOf('direct', 'programmatic')),
    'The callers that the tool may have.',
  ),
  output_schema: optional(mapOf(anything), 'JSON Schema of the output.', { type: 'object' }),
});

const grammar = Type.Union([
  Type.Object({ type: kind('text') }),
  Type.Object({
    type: kind('grammar'),
    ...grammarFields,
  }),
]);

const customTool = Type.Object({
  type: kind('custom'),
  name: toolName,
  description: optional(toolDescription),
  async,
  defer_loading,
  format: optional(grammar, 'The form of the input.'),
});

const tool = { mustBe: 'a tool' };

/** Functions and custom tools under one name. */
const namespace = Type.Object({
  type: kind('namespace'),
  name: toolName,
  description: toolDescription,
  tools: field(
    listOf(Type.Union([innerFunction, customTool], tool), { max: limits.toolsMax }),
    'The tools of the namespace.',
  ),
});

export type FunctionToolBody = Static<typeof functionTool>;
export type CustomToolBody = Static<typeof customTool>;
export type NamespaceBody = Static<typeof namespace>;

const kinds = [functionTool, customTool, namespace, ...nativeTools, ...serverTools] as const;
export const toolBody = Type.Union([...kinds, otherThan(kinds)], tool);
export type ToolBody = Static<typeof toolBody>;

export const toolList = listOf(toolBody, { max: limits.toolsMax });
