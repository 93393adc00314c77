import type {
  CustomToolBody,
  FunctionToolBody,
  JsonObject,
  NamespaceBody,
  ResponsesBody,
  ToolBody,
} from '@sluice/client-schemas';
import { isNativeToolKind } from '@sluice/client-schemas';
import type { Tool } from '@sluice/inference';
import { addedTools } from './read-input.ts';

/** A tool, and its form in the response. */
export interface ParsedTool {
  readonly tool: Tool;
  readonly echo: JsonObject;
  /** The tool itself, or the tools of a namespace. */
  readonly callable: readonly CallableTool[];
}

/** A tool that a model calls by a name. */
interface CallableTool {
  readonly name: string;
  readonly isCustom: boolean;
  /** Calls may be answered later than in the next turn. */
  readonly isAsync: boolean;
}

const none: readonly [] = [];

/** Returns the tools. A tool that an item of the input adds replaces one of the same name. */
export function readTools(body: ResponsesBody): readonly ParsedTool[] {
  const added = addedTools(body);
  const given = body.tools ?? none;
  if (added.length === 0) return given.length === 0 ? none : given.flatMap(readTool);
  const names = new Set(added.map(nameOf).filter((name) => name !== undefined));
  const kept = given.filter((tool) => !names.has(nameOf(tool) ?? ''));
  return [...kept, ...added].flatMap(readTool);
}

/** Returns undefined for a tool that is called by its kind. */
export function nameOf(tool: ToolBody): string | undefined {
  return tool.type === 'function' || tool.type === 'custom' || tool.type === 'namespace'
    ? tool.name
    : undefined;
}

function readTool(tool: ToolBody): readonly ParsedTool[] {
  if (tool.type === 'function') return [readFunction(tool)];
  if (tool.type === 'custom') return [readCustom(tool)];
  const callable = tool.type === 'namespace' ? tool.tools.map(callableOf) : none;
  return [{ tool: { type: 'native', tool }, echo: tool, callable }];
}

function readFunction(body: FunctionToolBody): ParsedTool {
  const { type, name, description, parameters, strict } = body;
  const isAsync = body.async === true;
  return {
    tool: {
      type,
      name,
      description: description ?? undefined,
      parameters: parameters ?? undefined,
      strict: strict ?? undefined,
      ...(isAsync && { isAsync }),
    },
    echo: {
      type,
      name,
      description: description ?? null,
      parameters: parameters ?? null,
      strict: strict ?? null,
      ...(isAsync && { async: true }),
    },
    callable: [callableOf(body)],
  };
}

function readCustom(body: CustomToolBody): ParsedTool {
  const { type, name, description, format } = body;
  const isAsync = body.async === true;
  return {
    tool: {
      type,
      name,
      description: description ?? undefined,
      format: format ?? undefined,
      ...(isAsync && { isAsync }),
    },
    echo: {
      type,
      name,
      description: description ?? null,
      format: format ?? { type: 'text' },
      ...(isAsync && { async: true }),
    },
    callable: [callableOf(body)],
  };
}

function callableOf(body: NamespaceBody['tools'][number]): CallableTool {
  return { name: body.name, isCustom: body.type === 'custom', isAsync: body.async === true };
}

const noNames: ReadonlySet<string> = new Set();

/** Returns the names of tools whose calls may be answered later than in the next turn. */
export function asyncNames(tools: readonly ParsedTool[]): ReadonlySet<string> {
  if (tools.length === 0) return noNames;
  const all = tools.flatMap(({ callable }) => callable);
  return new Set(all.filter(({ isAsync }) => isAsync).map(({ name }) => name));
}

/** Returns true for a kind of tool that an endpoint may have. */
export function isServedKind(kind: string): boolean {
  return kind === 'namespace' || isNativeToolKind(kind);
}
