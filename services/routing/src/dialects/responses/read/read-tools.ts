import type {
  CustomToolBody,
  FunctionToolBody,
  JsonObject,
  NamespaceBody,
  ResponsesBody,
  ToolBody,
} from '@sluice/client-schemas';
import {
  isLackingAt,
  isNativeToolKind,
  isObject,
  isSearchOfClient,
  isServerTool,
} from '@sluice/client-schemas';
import type { CustomTool, FunctionTool, Tool, ToolNamespace } from '@sluice/inference';
import { type DeferrableTool, isDeferred } from '../../service-fields/deferred-tools.ts';
import { addedTools, type PlacedTool } from './read-input.ts';

/** A tool of the body, and its form in the response. */
export interface ParsedTool {
  /** The tool itself, or the tools of a namespace. */
  readonly tools: readonly PlacedCanonicalTool[];
  readonly echo: JsonObject;
}

interface PlacedCanonicalTool {
  /** The place of the tool in the body, such as `tools[0].tools[1]`. */
  readonly path: string;
  readonly tool: Tool;
}

const none: readonly [] = [];

/** Returns the tools. A tool that an item of the input adds replaces one of the same name. */
export function readTools(body: ResponsesBody): readonly ParsedTool[] {
  return placedTools(body).map(readTool);
}

function placedTools(body: ResponsesBody): readonly PlacedTool[] {
  const added = addedTools(body);
  const given = body.tools ?? none;
  if (added.length === 0 && given.length === 0) return none;
  const replaced = new Set(added.map(({ tool }) => nameKey(tool)));
  replaced.delete(undefined);
  const placed = given.map((tool, index) => ({ tool, path: `tools[${String(index)}]` }));
  return [...placed.filter(({ tool }) => !replaced.has(nameKey(tool))), ...added];
}

/** Returns a text that is the same for tools with the same name. A namespace has names of its own. */
export function nameKey(tool: ToolBody): string | undefined {
  if (tool.type === 'namespace') return `namespace/${tool.name}`;
  return tool.type === 'function' || tool.type === 'custom' ? `tool/${tool.name}` : undefined;
}

function readTool({ tool: body, path }: PlacedTool): ParsedTool {
  switch (body.type) {
    case 'function':
      return { tools: [{ path, tool: readFunction(body) }], echo: echoFunction(body) };
    case 'custom':
      return { tools: [{ path, tool: readCustom(body) }], echo: echoCustom(body) };
    case 'namespace':
      return { tools: readMembers(body, path), echo: body };
    case 'mcp':
      return {
        tools: [{ path, tool: { type: 'native', tool: atOnce(body) } }],
        echo: echoServer(body),
      };
    default:
      return { tools: [{ path, tool: { type: 'native', tool: atOnce(body) } }], echo: body };
  }
}

/** Returns a server without the secrets that the client sends it. */
function echoServer({ authorization: _token, headers, ...rest }: JsonObject): JsonObject {
  if (!isObject(headers)) return headers === undefined ? rest : { ...rest, headers };
  const names = Object.keys(headers).map((name) => [name, '<redacted>']);
  return { ...rest, headers: Object.fromEntries(names) };
}

/** Returns a hosted tool that its provider shows to the model from the start: without a search it would find none. */
function atOnce<Hosted extends ToolBody>(tool: Hosted): Hosted {
  if (!('defer_loading' in tool)) return tool;
  const { defer_loading: _flag, ...rest } = tool;
  return rest as Hosted;
}

/** Returns the tools of the body and the members of its namespaces, as far as their loading goes. */
export function deferrableTools(body: ResponsesBody): readonly DeferrableTool[] {
  return placedTools(body).flatMap(({ tool, path }) => {
    const isOfClient = isSearchOfClient(tool);
    const self = { path, kind: tool.type, isDeferred: isDeferred(tool), isOfClient };
    if (tool.type !== 'namespace') return [self];
    const members = tool.tools.map((member, index) => {
      const at = `${path}.tools[${String(index)}]`;
      return { path: at, kind: member.type, isDeferred: isDeferred(member) };
    });
    return [self, ...members];
  });
}

function readMembers(
  { name, description, tools }: NamespaceBody,
  path: string,
): readonly PlacedCanonicalTool[] {
  const namespace: ToolNamespace = { name, description };
  return tools.map((body, index) => {
    const tool = body.type === 'custom' ? readCustom(body) : readInner(body);
    return { path: `${path}.tools[${String(index)}]`, tool: { ...tool, namespace } };
  });
}

type InnerFunctionBody = Extract<NamespaceBody['tools'][number], { type: 'function' }>;

function readInner(body: InnerFunctionBody): FunctionTool {
  const { allowed_callers: callers, output_schema: schema } = body;
  return {
    ...readFunction(body),
    ...(schema && { outputSchema: schema }),
    ...(callers && { allowedCallers: callers }),
  };
}

function readFunction(body: FunctionToolBody): FunctionTool {
  const { type, name, description, parameters, strict } = body;
  return {
    type,
    name,
    description: description ?? undefined,
    parameters: parameters ?? undefined,
    strict: strict ?? undefined,
    ...(body.async === true && { isAsync: true }),
    ...(body.defer_loading === true && { isDeferred: true }),
  };
}

function echoFunction({ type, name, description, parameters, strict, ...more }: FunctionToolBody) {
  return {
    type,
    name,
    description: description ?? null,
    parameters: parameters ?? null,
    strict: strict ?? null,
    ...(more.async === true && { async: true }),
  };
}

function readCustom(body: CustomToolBody): CustomTool {
  const { type, name, description, format } = body;
  return {
    type,
    name,
    description: description ?? undefined,
    format: format ?? undefined,
    ...(body.async === true && { isAsync: true }),
    ...(body.defer_loading === true && { isDeferred: true }),
  };
}

function echoCustom({ type, name, description, format, ...more }: CustomToolBody) {
  return {
    type,
    name,
    description: description ?? null,
    format: format ?? { type: 'text' },
    ...(more.async === true && { async: true }),
  };
}

/** Returns all tools as one list. */
export function canonicalTools(parsed: readonly ParsedTool[]): readonly Tool[] {
  return parsed.flatMap(({ tools }) => tools.map(({ tool }) => tool));
}

/** Returns true for a tool that an endpoint may have, or that the service runs. */
export function isServed(tool: JsonObject): boolean {
  const { type } = tool;
  if (isNativeToolKind(type)) return true;
  return isServerTool(type) && !isLackingAt('responses', type) && !isSearchOfClient(tool);
}
