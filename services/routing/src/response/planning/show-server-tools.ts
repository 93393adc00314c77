import type { Rejection } from '@sluice/errors';
import type { CanonicalCall } from '../../request/call.ts';
import { showTools } from '../../tools/show-tools.ts';
import type { ShownTools } from '../../tools/shown-tool.ts';
import type { McpListed } from './list-mcp-tools.ts';
import type { ReadCall } from './read-call.ts';

/** A request whose server tools are functions for the model. */
export interface Asked {
  readonly asked: CanonicalCall;
  /** The server tools of the request. If undefined, there are none. */
  readonly serverTools: ShownTools | undefined;
}

/** Shows the model the server tools of a request, and their earlier calls. Filters read these like all else. */
export function showServerTools({
  pipeline,
  policy,
  listed: call,
}: ReadCall & McpListed): Asked | Rejection {
  const { request, tools } = showTools(call.inference, pipeline.tools);
  for (const { kind, tool } of tools?.values() ?? [])
    if (policy.disabledServerTools.includes(tool.type)) return disabled(kind);
  const heard = tools ? call : withIdleWarning(call);
  const asked = request === call.inference ? heard : { ...heard, inference: request };
  return { asked, serverTools: tools };
}

const idle = 'stop_server_tools_when has no effect without a server tool';

function withIdleWarning(call: CanonicalCall): CanonicalCall {
  if (!call.loop.stopWhen) return call;
  return { ...call, warning: call.warning === undefined ? idle : `${call.warning}; ${idle}` };
}

function disabled(kind: string): Rejection {
  return {
    rejected: 'permission_denied',
    message: `The workspace does not allow the tool ${kind}`,
  };
}
