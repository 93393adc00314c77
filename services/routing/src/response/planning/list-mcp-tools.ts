import { isRejection } from '@sluice/errors';
import type { CanonicalCall } from '../../request/call.ts';
import { choose } from '../../selection/choose.ts';
import { expandServers } from '../../tools/mcp/expand-servers.ts';
import type { McpBeginning } from '../../tools/mcp/beginning.ts';
import { readEntry } from '../../tools/mcp/settings.ts';
import { choosingOf } from './choosing.ts';
import type { ReadCall } from './read-call.ts';

/** A request whose servers of the Model Context Protocol are tools, unless its provider calls them. */
export interface McpListed {
  readonly listed: CanonicalCall;
  /** Absent if no server was listed and no approved call waits. */
  readonly beginning: McpBeginning | undefined;
}

/** Lists the tools of the servers in a request if no endpoint of its models calls servers itself. */
export async function listMcpTools(read: ReadCall): Promise<McpListed> {
  const { pipeline, parsed, call } = read;
  const { mcpClient } = pipeline;
  const { inference } = parsed.call;
  const unlisted = { listed: parsed.call, beginning: undefined };
  if (!mcpClient || !inference.tools.some(isServer)) return unlisted;
  const isNative = isServedWith(read, parsed.call);
  const without = inference.tools.filter((tool) => !isServer(tool));
  const plain = { ...inference, tools: without, toolChoice: { type: 'auto' } as const };
  // A request that is refused anyway calls no server.
  if (isNative || !isServedWith(read, { ...parsed.call, inference: plain })) return unlisted;
  const { request, lists, approved } = await expandServers(inference, mcpClient, call.signal);
  const isAny = lists.length + approved.length > 0;
  return {
    listed: { ...parsed.call, inference: request },
    beginning: isAny ? { lists, approved } : undefined,
  };
}

function isServer(tool: CanonicalCall['inference']['tools'][number]): boolean {
  return tool.type === 'native' && readEntry(tool.tool) !== undefined;
}

/** Returns true if an endpoint serves the request with all of its servers. */
function isServedWith(read: ReadCall, request: CanonicalCall): boolean {
  const chosen = choose(request, choosingOf(read));
  return !isRejection(chosen) && chosen.served?.leftOut.includes('mcp') !== true;
}
