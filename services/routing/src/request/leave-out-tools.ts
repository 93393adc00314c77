import type { InferenceRequest, NativeTool, Tool, ToolChoice } from '@sluice/inference';
import { namesOfKind } from './tool-kinds.ts';

/** A feature that nothing serves is left out and named, or the request is refused. */
export type UnsupportedMode = 'lenient' | 'strict';

type WithTools = Pick<InferenceRequest, 'tools' | 'toolChoice'>;

/** A request that can be served, and the kinds of the tools that it lost. */
export interface Served<Request> {
  readonly request: Request;
  readonly leftOut: readonly string[];
}

const nothing: readonly string[] = [];

/**
 * Returns the request without the hosted tools that nothing runs. undefined: the request is about such a tool, because
 * its choice names it or it has no other tool.
 */
export function leaveOutTools<Request extends WithTools>(
  request: Request,
  isServed: (tool: NativeTool['tool']) => boolean,
): Served<Request> | undefined {
  const { tools, toolChoice } = request;
  const isLeftOut = (tool: Tool) => tool.type === 'native' && !isServed(tool.tool);
  if (!tools.some(isLeftOut)) return { request, leftOut: nothing };
  const kept = tools.filter((tool) => !isLeftOut(tool));
  const leftOut = [...new Set(hostedKinds(tools.filter(isLeftOut)))];
  const choice = choiceWithout(toolChoice, new Set(leftOut.flatMap(namesOfKind)));
  if (kept.length === 0 || !choice) return undefined;
  return { request: { ...request, tools: kept, toolChoice: choice }, leftOut };
}

/** Returns the kinds of the tools that clients do not run by a name. */
export function hostedKinds(tools: readonly Tool[]): readonly string[] {
  return tools.flatMap((tool) => (tool.type === 'native' ? [kindOf(tool)] : []));
}

function kindOf({ tool }: NativeTool): string {
  return String(tool['type']);
}

/** Returns undefined if no other tool may be called. */
function choiceWithout(choice: ToolChoice, kinds: ReadonlySet<string>): ToolChoice | undefined {
  const isGone = (tool: NativeTool['tool']) => kinds.has(String(tool['type']));
  if (choice.type === 'native') return isGone(choice.tool) ? undefined : choice;
  if (choice.type !== 'allowed' || !choice.natives) return choice;
  const { natives: _all, ...rest } = choice;
  const natives = choice.natives.filter((tool) => !isGone(tool));
  if (natives.length > 0) return { ...rest, natives };
  return rest.tools.length > 0 ? rest : undefined;
}
