import { invalidRequest, type Issue, type Rejection } from '@sluice/errors';
import type { Tool } from '@sluice/inference';
import type { McpListed } from './list-mcp-tools.ts';
import type { ReadCall } from './read-call.ts';
import type { ShownTool, ShownTools } from '../../tools/shown-tool.ts';
import type { Asked } from './show-server-tools.ts';

/** Lets each server tool refuse the request for its settings, before a model is called. */
export function checkServerTools({
  call,
  listed,
  serverTools,
}: ReadCall & McpListed & Asked): object | Promise<Rejection | object> {
  return serverTools ? check(serverTools, { ...call, ...listed }) : {};
}

async function check(
  tools: ShownTools,
  { principal, inference, leftOut }: ReadCall['call'] & McpListed['listed'],
): Promise<Rejection | object> {
  for (const { tool, kind, instance, settings } of tools.values()) {
    const refusal = await tool.check?.(settings, { principal, kind });
    if (!refusal) continue;
    // Tools that were left out had places before others.
    const places = leftOut.length === 0 ? inference.tools : [];
    return withPlace(refusal, placeOf(places, { tool, instance }));
  }
  return {};
}

/** Returns the path of a tool in the request. */
export function placeOf(
  tools: readonly Tool[],
  { tool, instance }: Pick<ShownTool, 'tool' | 'instance'>,
): string {
  const kinds = new Set([tool.type, ...(tool.aliases ?? [])]);
  const places = tools.flatMap((one, index) =>
    one.type === 'native' && kinds.has(String(one.tool['type'])) ? [index] : [],
  );
  return `tools[${places[instance] ?? ''}]`;
}

/** A tool names the paths of its own fields. */
function withPlace(refusal: Rejection, place: string): Rejection {
  const issues = refusal.metadata?.['issues'] as readonly Issue[] | undefined;
  if (!issues) return refusal;
  return invalidRequest(issues.map(({ path, message }) => ({ path: `${place}.${path}`, message })));
}
