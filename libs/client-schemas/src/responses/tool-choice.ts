import { type Static, Type } from 'typebox';
import { listOf, oneOf, optional, text } from '../fields.ts';
import { limits } from '../service-fields/limits.ts';
import { nativeToolKinds } from './native-tools.ts';
import { unbuiltTools } from '../service-fields/unbuilt.ts';

/** A tool that is chosen by its kind. Which of them the request has is checked beside. */
const kinds = [...nativeToolKinds, ...unbuiltTools, 'computer_use'] as const;
const byKind = Type.Object({ type: oneOf(...kinds) });

const known: ReadonlySet<unknown> = new Set(kinds);

/** True if a tool is chosen by this kind, and not by its name. */
export function isToolKind(type: unknown): type is (typeof kinds)[number] {
  return known.has(type);
}

/** A tool that may be called: by its kind, or by its name. A namespace stands for all of its tools. */
const allowedTool = Type.Object({
  type: optional(text()),
  name: optional(text()),
  namespace: optional(text()),
});

const allowedTools = Type.Object({
  type: Type.Literal('allowed_tools'),
  mode: oneOf('auto', 'required'),
  tools: listOf(allowedTool, { max: limits.toolsMax }),
});

export const toolChoice = Type.Union(
  [
    Type.Object({
      type: oneOf('function', 'custom'),
      name: text(),
      namespace: optional(text()),
    }),
    allowedTools,
    byKind,
    oneOf('auto', 'none', 'required'),
  ],
  { mustBe: 'a tool choice' },
);
export type ToolChoiceBody = Static<typeof toolChoice>;
