import type { JsonObject } from '@sluice/client-schemas';
import type { FunctionTool, Tool } from '@sluice/inference';
import type { LoopLimits } from '../request/loop-limits.ts';
import { limitsOf, type ToolLimits } from './limits.ts';
import type { NativeForms, NativeTools } from './native.ts';
import type { ServerTool } from './tool.ts';

/** A server tool of a request, as the model sees it. */
export interface ShownTool {
  readonly tool: ServerTool;
  /** The kind in `tools` of the request. */
  readonly kind: string;
  /** The place among the tools of this type, from 0. */
  readonly instance: number;
  readonly settings: JsonObject;
  readonly shown: FunctionTool;
  /** The tool in the words of the endpoints that have it. Absent: the service runs it everywhere. */
  readonly forms?: NativeForms;
  /** Tools that the model does not see before it has found them. */
  readonly deferred: readonly Tool[];
  /** The functions of the client. */
  readonly functions: readonly FunctionTool[];
}

/** The server tools of a request by the names that the model calls. */
export type ShownTools = ReadonlyMap<string, ShownTool>;

/** Returns the server tools that an endpoint may run itself. undefined: there are none. */
export function nativeToolsOf(
  tools: ShownTools | undefined,
  { callsMax = Infinity }: Pick<LoopLimits, 'callsMax'>,
  limits: ToolLimits,
): NativeTools | undefined {
  if (!tools) return undefined;
  const natives = new Map(
    [...tools].flatMap(([name, { tool, kind, forms, settings }]) => {
      const { native } = tool;
      if (!native || !forms) return [];
      // The calls of a tool whose items are not read cannot be counted.
      const limit = native.read ? limitsOf(tool, limits).callsMax : Infinity;
      const callsLeft = Math.min(callsMax, native.callsMaxOf(settings), limit);
      return [[name, { kind: native.nativeKind(kind), forms, callsLeft }] as const];
    }),
  );
  return natives.size > 0 ? natives : undefined;
}
