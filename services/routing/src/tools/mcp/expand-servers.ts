import { isObject, type JsonObject } from '@sluice/client-schemas';
import type { InferenceRequest, InputItem, Tool, ToolChoice } from '@sluice/inference';
import { isMcpFailure, type McpClient, type McpFailure, type McpTool } from '@sluice/mcp-client';
import { approvalKind, mcpKind, type McpToolSettings } from './index.ts';
import { type Approvals, readApprovals } from './read-approvals.ts';
import { type McpEntry, readEntry } from './settings.ts';

/** A request whose servers are tools. */
export interface Expanded {
  readonly request: InferenceRequest;
  /** The lists of servers that were called, as items of the answer. */
  readonly lists: readonly JsonObject[];
  /** The calls that a person approved, and that did not run yet. */
  readonly approved: Approvals['approved'];
}

const toolsMax = 128;
const serversMax = 16;

interface Listed {
  readonly entry: McpEntry;
  readonly tools: readonly McpTool[];
  /** Absent if the client sent the list. */
  readonly item: JsonObject | undefined;
}

/** Replaces each server in `tools` by its tools. A server that cannot be listed has none, and its item says why. */
export async function expandServers(
  request: InferenceRequest,
  client: McpClient,
  signal: AbortSignal,
): Promise<Expanded> {
  const entries = request.tools.map((tool) =>
    tool.type === 'native' ? readEntry(tool.tool) : undefined,
  );
  const others = entries.filter((entry) => entry === undefined).length;
  const known = knownLists(request.items);
  let servers = 0;
  const listed = await Promise.all(
    entries.map(async (entry): Promise<Listed | undefined> => {
      if (!entry) return undefined;
      const tools = known.get(entry.label)?.filter((tool) => entry.isAllowed(tool));
      if (tools) return { entry, tools, item: undefined };
      servers += 1;
      return servers > serversMax
        ? failed(entry, {
            failed: 'protocol',
            code: 0,
            message: `more than ${String(serversMax)} servers`,
          })
        : await list(entry, client, signal);
    }),
  );
  const bound = withinLimit(listed, toolsMax - others);
  const tools = request.tools.flatMap((tool, index): readonly Tool[] => {
    const found = bound[index];
    return found ? found.tools.map((one) => shownTool(found.entry, one)) : [tool];
  });
  const { items, approved } = readApprovals(request.items, tools);
  return {
    request: { ...request, tools, items, toolChoice: choiceOf(request.toolChoice) },
    lists: bound.flatMap((one) => (one?.item ? [one.item] : [])),
    approved,
  };
}

async function list(entry: McpEntry, client: McpClient, signal: AbortSignal): Promise<Listed> {
  const tools = await client.listTools(entry.server, entry.isAllowed, signal);
  if (isMcpFailure(tools)) return failed(entry, tools);
  const described = tools.map(({ name, description, inputSchema, isReadOnly }) => ({
    name,
    description,
    input_schema: inputSchema,
    annotations: { read_only: isReadOnly },
  }));
  const item = { type: 'mcp_list_tools', server_label: entry.label, tools: described, error: null };
  return { entry, tools, item };
}

function failed(entry: McpEntry, { message: error }: McpFailure): Listed {
  const item = { type: 'mcp_list_tools', server_label: entry.label, tools: [], error };
  return { entry, tools: [], item };
}

/** Leaves out the tools of a server with which the request would have too many. */
function withinLimit(
  listed: readonly (Listed | undefined)[],
  limit: number,
): readonly (Listed | undefined)[] {
  let left = limit;
  return listed.map((one) => {
    if (!one) return one;
    if (one.tools.length <= left) {
      left -= one.tools.length;
      return one;
    }
    const message = `The request has more than ${String(toolsMax)} tools. Name those that are needed in allowed_tools`;
    return failed(one.entry, { failed: 'protocol', code: 0, message });
  });
}

/** Returns the last list of each server that the client sends again. */
function knownLists(items: readonly InputItem[]): ReadonlyMap<string, readonly McpTool[]> {
  const lists = new Map<string, readonly McpTool[]>();
  for (const item of items) {
    if (item.type !== 'native' || item.item['type'] !== 'mcp_list_tools') continue;
    const { server_label: label, tools, error } = item.item;
    if (Array.isArray(tools) && (error === undefined || error === null))
      lists.set(String(label), tools.filter(isObject).map(toolOf));
  }
  return lists;
}

function toolOf({ name, description, input_schema: schema, annotations }: JsonObject): McpTool {
  return {
    name: String(name),
    description: typeof description === 'string' ? description : '',
    inputSchema: isObject(schema) ? schema : { type: 'object' },
    isReadOnly: isObject(annotations) && annotations['read_only'] === true,
  };
}

function shownTool({ label, server, needsApproval }: McpEntry, tool: McpTool): Tool {
  const type = needsApproval(tool.name) ? approvalKind : mcpKind;
  const parameters: McpToolSettings = {
    name: `${label}/${tool.name}`,
    label,
    tool: tool.name,
    description: tool.description,
    schema: tool.inputSchema,
    server,
  };
  return { type: 'native', tool: { type, parameters } };
}

/** A choice of a server is one of any tool: the model has no word for the server itself. */
function choiceOf(choice: ToolChoice): ToolChoice {
  if (choice.type === 'native') return isServer(choice.tool) ? { type: 'required' } : choice;
  if (choice.type !== 'allowed' || !choice.natives?.some(isServer)) return choice;
  const others = choice.natives.filter((tool) => !isServer(tool));
  return { ...choice, natives: [...others, { type: mcpKind }, { type: approvalKind }] };
}

function isServer({ type }: JsonObject): boolean {
  return type === 'mcp';
}
