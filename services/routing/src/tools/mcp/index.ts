import type { JsonObject } from '@sluice/client-schemas';
import { isMcpFailure, type McpClient, type McpFailure, type McpServer } from '@sluice/mcp-client';
import { Type } from 'typebox';
import { errorResult, type ServerTool, type ToolContext, type ToolResult } from '../tool.ts';

export const mcpKind = 'service:mcp';
/** The kind of tools whose calls a person approves first. */
export const approvalKind = 'service:mcp_approval';

/** One tool of a server. `expandServers` writes it; a client cannot. */
export interface McpToolSettings {
  /** The label of the server and the name of the tool, which tell the tools of a request apart. */
  readonly name: string;
  readonly label: string;
  readonly tool: string;
  readonly description: string;
  readonly schema: JsonObject;
  readonly server: McpServer;
  /** The request for approval that a person agreed to. */
  readonly approvalId?: string;
}

export interface McpToolOptions {
  /** Absent: only providers call servers. */
  readonly mcpClient?: McpClient | undefined;
}

const timeoutMs = 60_000;
/** The server checks the arguments. The patterns in its schemas are a stranger's, and are not run here. */
const anyArguments = Type.Object({});

/** Returns the tool that calls a tool of a server which the client names. */
export function mcpTool({ mcpClient }: McpToolOptions): ServerTool {
  return {
    type: mcpKind,
    aliases: [approvalKind],
    timeoutMs,
    asFunction(given) {
      const { label, tool, description, schema } = read(given);
      const name = functionName(`${label}_${tool}`);
      return { name, description, parameters: Type.Unsafe(schema), checks: anyArguments };
    },
    worstCost: () => 0n,
    itemType: (kind) => (kind === approvalKind ? 'mcp_approval_request' : 'mcp_call'),
    // The arguments come with the end of the item, as those of all server tools.
    opening: (_, { settings }) => ({ ...openingOf({}, read(settings)), arguments: '' }),
    async run(args, context) {
      const settings = read(context.settings);
      if (context.kind === approvalKind) return askApproval(args, settings);
      return mcpClient ? await call(mcpClient, args, context) : errorResult('no client is set up');
    },
    replay({ arguments: text, output, error }) {
      if (typeof text !== 'string') return undefined;
      const result = error === undefined || error === null ? output : { error };
      const said = typeof result === 'string' ? result : JSON.stringify(result ?? '');
      return { arguments: text, output: said };
    },
  };
}

function read(settings: JsonObject): McpToolSettings {
  return settings as unknown as McpToolSettings;
}

function functionName(name: string): string {
  // A number may follow, if two names are the same.
  return name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 60);
}

function openingOf(args: JsonObject, { label, tool, approvalId }: McpToolSettings): JsonObject {
  return {
    server_label: label,
    name: tool,
    arguments: JSON.stringify(args),
    ...(approvalId !== undefined && { approval_request_id: approvalId }),
  };
}

/** The response ends: the client answers with an item, and sends all again. */
function askApproval(args: JsonObject, settings: McpToolSettings): ToolResult {
  return { output: '', item: openingOf(args, settings), ends: true };
}

async function call(
  client: McpClient,
  args: JsonObject,
  { settings: given, signal }: ToolContext,
): Promise<ToolResult> {
  const settings = read(given);
  const item = { ...openingOf(args, settings), output: null, error: null };
  const called = { name: settings.tool, arguments: args };
  const answer = await client.callTool(settings.server, called, signal);
  if (isMcpFailure(answer))
    return errorResult(answer.message, { ...item, status: 'failed', error: errorOf(answer) });
  const { text: output, isError } = answer;
  if (!isError) return { output, item: { ...item, output } };
  const content = [{ type: 'text', text: output }];
  const error = { type: 'mcp_tool_execution_error', content };
  return { output, isError, item: { ...item, status: 'failed', error } };
}

/** A server that cannot be reached is told like one that answers with a status. */
function errorOf({ failed, code, message }: McpFailure): JsonObject {
  return { type: failed === 'protocol' ? 'mcp_protocol_error' : 'http_error', code, message };
}
