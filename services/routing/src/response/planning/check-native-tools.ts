import { invalidRequest, type Rejection } from '@sluice/errors';
import { hasNativeTool } from '@sluice/providers';
import type { Plan } from '../../selection/plan.ts';
import type { ShownTool } from '../../tools/shown-tool.ts';
import { placeOf } from './check-server-tools.ts';
import type { McpListed } from './list-mcp-tools.ts';
import type { Asked } from './show-server-tools.ts';

const message =
  'the tool of the provider cannot do this. With another engine, or "auto", the service does it';

/** Refuses a request that demands a tool of its endpoints with settings that they lack (contract inference.md 5.2). */
export function checkNativeTools({
  serverTools,
  listed,
  plan,
}: Asked & McpListed & { readonly plan: Plan }): object | Rejection {
  if (!serverTools) return {};
  const refused = [...serverTools.values()].find((shown) => isImpossible(shown, plan));
  if (!refused) return {};
  const tools = listed.leftOut.length === 0 ? listed.inference.tools : [];
  const place = placeOf(tools, refused);
  const path = `${place}${refused.kind.startsWith('service:') ? '.parameters' : ''}.engine`;
  return invalidRequest([{ path, message }]);
}

/** Returns false if no endpoint has the tool: then the service runs its own. */
function isImpossible({ tool, kind, settings, forms }: ShownTool, { attempts }: Plan): boolean {
  const { native } = tool;
  if (!native?.isDemanded?.(settings)) return false;
  const endpoints = attempts
    .map(({ endpoint }) => endpoint.endpoint)
    .filter((endpoint) => hasNativeTool(endpoint, native.nativeKind(kind)));
  return endpoints.length > 0 && endpoints.every(({ dialect }) => !forms?.[dialect]);
}
