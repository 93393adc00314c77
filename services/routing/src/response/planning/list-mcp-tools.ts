import type { McpClient } from '@sluice/mcp-client';
import { isRejection, type Rejection } from '@sluice/errors';
import { abortSignalOf } from '@sluice/inference-port';
import type { CanonicalCall } from '../../request/call.ts';
import { choose } from '../../selection/choose.ts';
import type { Plan } from '../../selection/plan.ts';
import { planWithCredentials } from '../../selection/plan-with-credentials.ts';
import { expandServers } from '../../tools/mcp/expand-servers.ts';
import type { McpBeginning } from '../../tools/mcp/beginning.ts';
import { readEntry } from '../../tools/mcp/settings.ts';
import { choosingOf } from './choosing.ts';
import { acceptRequest } from '../../turn/accept-request.ts';
import type { ReadCall } from './read-call.ts';

/** A request whose servers of the Model Context Protocol are tools, unless its provider calls them. */
export interface McpListed {
  readonly listed: CanonicalCall;
  /** Absent if no server was listed and no approved call waits. */
  readonly beginning: McpBeginning | undefined;
}

/**
 * Lists the tools of the servers in a request if no endpoint of its models calls servers itself. Returns a Rejection if
 * the caller cannot pay for the request without them: a request that is refused anyway calls no server.
 */
export function listMcpTools(read: ReadCall): McpListed | Promise<McpListed | Rejection> {
  const { pipeline, parsed } = read;
  const { mcpClient } = pipeline;
  if (!mcpClient || !parsed.call.inference.tools.some(isServer)) return unlistedOf(parsed);
  return list(read, mcpClient);
}

function unlistedOf({ call }: ReadCall['parsed']): McpListed {
  return { listed: call, beginning: undefined };
}

async function list(read: ReadCall, mcpClient: McpClient): Promise<McpListed | Rejection> {
  const { parsed, call } = read;
  const { inference } = parsed.call;
  const unlisted = unlistedOf(parsed);
  const without = inference.tools.filter((tool) => !isServer(tool));
  const plain = { ...inference, tools: without, toolChoice: { type: 'auto' } as const };
  if (planOf(read, parsed.call)) return unlisted;
  const plan = planOf(read, { ...parsed.call, inference: plain });
  if (!plan) return unlisted;
  const refused = await refusal(read, plan, plain);
  if (refused) return refused;
  const signal = abortSignalOf(call.signal);
  const { request, lists, approved } = await expandServers(inference, mcpClient, signal);
  const isAny = lists.length + approved.length > 0;
  return {
    listed: { ...parsed.call, inference: request },
    beginning: isAny ? { lists, approved } : undefined,
  };
}

function isServer(tool: CanonicalCall['inference']['tools'][number]): boolean {
  return tool.type === 'native' && readEntry(tool.tool) !== undefined;
}

/** Returns the plan of a request. undefined: no endpoint serves it with all of its servers. */
function planOf(read: ReadCall, request: CanonicalCall): Plan | undefined {
  const chosen = choose(request, choosingOf(read));
  if (isRejection(chosen) || chosen.served?.leftOut.includes('mcp') === true) return undefined;
  return chosen;
}

/** Returns the Rejection if the caller cannot pay for the request without its servers. */
async function refusal(
  { pipeline, call: { principal }, policy, credentials, parsed }: ReadCall,
  chosen: Plan,
  request: CanonicalCall['inference'],
): Promise<Rejection | undefined> {
  const { preferences, words } = parsed.call;
  const { mixesModels, allowsFallbacks, order } = preferences;
  const isFirstOnly = !allowsFallbacks && order === undefined;
  const planned = planWithCredentials(chosen, { credentials, principal, mixesModels, isFirstOnly });
  if (isRejection(planned)) return planned;
  const { attempts } = planned;
  return await acceptRequest(pipeline, { principal, policy, attempts, request, words });
}
