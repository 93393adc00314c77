import { isObject, type JsonObject } from '@sluice/client-schemas';
import type { McpServer, McpTool } from '@sluice/mcp-client';

/** A server in `tools` of a request, as its schema has checked it. */
export interface McpEntry {
  readonly label: string;
  readonly server: McpServer;
  readonly isAllowed: (tool: Pick<McpTool, 'name' | 'isReadOnly'>) => boolean;
  readonly needsApproval: (name: string) => boolean;
}

/** Returns undefined for a tool that is no server with a URL. Connectors are for providers alone. */
export function readEntry(tool: JsonObject): McpEntry | undefined {
  const { type, server_label: label, server_url: url, allowed_tools: allowed } = tool;
  if (type !== 'mcp' || typeof url !== 'string') return undefined;
  return {
    label: String(label),
    server: { url, headers: headersOf(tool) },
    isAllowed: allowedBy(allowed),
    needsApproval: approvalBy(tool['require_approval']),
  };
}

function headersOf({ headers, authorization }: JsonObject): Readonly<Record<string, string>> {
  const given = isObject(headers) ? headers : {};
  const all = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, String(value)]),
  );
  return typeof authorization === 'string' && authorization !== ''
    ? { ...all, authorization: `Bearer ${authorization}` }
    : all;
}

function allowedBy(allowed: unknown): McpEntry['isAllowed'] {
  if (Array.isArray(allowed)) return ({ name }) => allowed.includes(name);
  if (!isObject(allowed)) return () => true;
  const names = allowed['tool_names'];
  const isNamed = Array.isArray(names) ? (name: string) => names.includes(name) : () => true;
  const isReadOnlyMeant = allowed['read_only'] === true;
  return ({ name, isReadOnly }) => isNamed(name) && (isReadOnly || !isReadOnlyMeant);
}

/** Without a word of the client, a person approves each call. */
function approvalBy(required: unknown): McpEntry['needsApproval'] {
  if (!isObject(required)) return () => required !== 'never';
  const always = namesOf(required['always']);
  const never = namesOf(required['never']);
  return (name) => always.has(name) || !never.has(name);
}

function namesOf(rule: unknown): ReadonlySet<unknown> {
  const names = isObject(rule) ? rule['tool_names'] : undefined;
  return new Set(Array.isArray(names) ? names : []);
}
