import { type Static, Type } from 'typebox';
import { field, kind, kindOf, listOf, oneOf, optional, text } from '../fields.ts';
import { limits } from '../service-fields/limits.ts';
import { nativeToolKinds } from './native-tools.ts';
import { serverToolKinds } from '../server-tools/index.ts';

/** A tool that is chosen by its kind. Which of them the request has is checked beside. */
const kinds = [...nativeToolKinds, ...serverToolKinds, 'computer_use'] as const;
const byKind = Type.Object({ type: kindOf(...kinds) });

const known: ReadonlySet<unknown> = new Set(kinds);

/** True if a tool is chosen by this kind, and not by its name. */
export function isToolKind(type: unknown): type is (typeof kinds)[number] {
  return known.has(type);
}

const namespace = optional(text(), 'The namespace of the tool.', 'crm');

/** A tool that may be called: by its kind, or by its name. A namespace stands for all of its tools. */
const allowedTool = Type.Object({
  type: optional(text(), 'The kind of the tool.', 'function'),
  name: optional(text(), 'Name of the tool.', 'get_weather'),
  namespace,
});

const allowedTools = Type.Object({
  type: kind('allowed_tools'),
  mode: field(oneOf('auto', 'required'), 'Whether the model must call one.'),
  tools: field(listOf(allowedTool, { max: limits.toolsMax }), 'Tools that the model may call.'),
});

export const toolChoice = Type.Union(
  [
    Type.Object({
      type: kindOf('function', 'custom'),
      name: field(text(), 'Name of the tool.', 'get_weather'),
      namespace,
    }),
    allowedTools,
    byKind,
    oneOf('auto', 'none', 'required'),
  ],
  { mustBe: 'a tool choice' },
);
export type ToolChoiceBody = Static<typeof toolChoice>;
