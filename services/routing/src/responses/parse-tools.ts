import type { CustomTool, FunctionTool, Tool, ToolChoice } from '@sluice/inference';
import { Fields, isObject, type JsonObject } from './fields.ts';
import type { Issues } from './issues.ts';
import { descriptionCharactersMax, toolsMax } from './limits.ts';
import { checkNativeTool, isNativeTool } from './native-tools.ts';

const functionNamePattern = /^[A-Za-z0-9_-]{1,64}$/;

/** Kinds of tools that the contract knows and that are not built yet: the service would run them. */
const unbuiltTools: ReadonlySet<unknown> = new Set([
  'shell',
  'tool_search',
  'web_search',
  'web_search_2025_08_26',
  'web_search_preview',
  'web_search_preview_2025_03_11',
  'service:advisor',
  'service:subagent',
  'service:datetime',
  'service:files',
  'service:fusion',
  'service:image_generation',
  'service:experimental__search_models',
  'service:search_models',
  'service:web_fetch',
  'service:web_search',
  'service:apply_patch',
  'service:bash',
  'service:shell',
  'service:tool_search',
]);

/** A tool, and what the response repeats of it. */
export interface ParsedTool {
  readonly tool: Tool;
  readonly echo: JsonObject;
}

/** The tools of a request, or of an item that adds some. */
export function parseTools(holder: Fields, issues: Issues): readonly ParsedTool[] {
  const tools = (holder.array('tools', toolsMax) ?? []).map((tool, index) =>
    parseTool(tool, `${holder.path('tools')}[${String(index)}]`, issues),
  );
  const names = new Set<string>();
  for (const [index, parsed] of tools.entries()) {
    const name = parsed && nameOf(parsed.tool);
    if (name !== undefined && names.has(name))
      issues.add(`${holder.path('tools')}[${String(index)}].name`, `repeats the name ${name}`);
    if (name !== undefined) names.add(name);
  }
  return tools.filter((tool) => tool !== undefined);
}

/** undefined: it is called by its kind. */
export function nameOf(tool: Tool): string | undefined {
  return tool.type === 'native' ? undefined : tool.name;
}

function parseTool(tool: unknown, path: string, issues: Issues): ParsedTool | undefined {
  if (!isObject(tool)) return issues.add(path, 'must be a tool');
  const fields = new Fields(tool, { path, issues });
  const { type } = tool;
  if (unbuiltTools.has(type)) return issues.addUnsupported(fields.path('type'));
  if (type === 'function') return parseFunction(fields);
  if (type === 'custom') return parseCustom(fields, issues);
  if (!isNativeTool(type)) return fields.refuse('type', 'is no known kind of tool');
  checkNativeTool(type, fields);
  return { tool: { type: 'native', tool }, echo: tool };
}

function parseFunction(fields: Fields): ParsedTool | undefined {
  const name = parseName(fields);
  const description = fields.string('description', { charactersMax: descriptionCharactersMax });
  const parameters = fields.object('parameters');
  const strict = fields.boolean('strict');
  const isAsync = fields.boolean('async');
  fields.unsupported('defer_loading', (value) => value === false);
  if (name === undefined) return undefined;
  const tool: FunctionTool = { type: 'function', name, description, parameters, strict };
  const echo = {
    type: 'function',
    name,
    description: description ?? null,
    parameters: parameters ?? null,
    strict: strict ?? null,
    ...(isAsync === true && { async: true }),
  };
  return { tool, echo };
}

function parseCustom(fields: Fields, issues: Issues): ParsedTool | undefined {
  const name = parseName(fields);
  const description = fields.string('description', { charactersMax: descriptionCharactersMax });
  const isAsync = fields.boolean('async');
  const format = fields.object('format');
  if (format) checkGrammar(new Fields(format, { path: fields.path('format'), issues }));
  if (name === undefined) return undefined;
  const tool: CustomTool = { type: 'custom', name, description, format };
  const echo = {
    type: 'custom',
    name,
    description: description ?? null,
    format: format ?? { type: 'text' },
    ...(isAsync === true && { async: true }),
  };
  return { tool, echo };
}

function checkGrammar(format: Fields): void {
  if (!format.has('type')) format.refuse('type', 'is required');
  if (format.oneOf('type', ['text', 'grammar']) !== 'grammar') return;
  if (!format.has('syntax')) format.refuse('syntax', 'is required');
  format.oneOf('syntax', ['lark', 'regex']);
  format.requiredString('definition');
}

function parseName(fields: Fields): string | undefined {
  const name = fields.requiredString('name');
  if (name === undefined || functionNamePattern.test(name)) return name;
  return fields.refuse('name', 'must be 1 to 64 of the characters A-Z a-z 0-9 _ -');
}

/** Names of tools whose calls may be answered later than in the next turn. */
export function asyncNames(tools: readonly ParsedTool[]): ReadonlySet<string> {
  return new Set(
    tools.flatMap(({ tool, echo }) => (echo['async'] === true ? [nameOf(tool) ?? ''] : [])),
  );
}

export function isUnbuiltTool(type: unknown): boolean {
  return unbuiltTools.has(type);
}

/** The choice of a request, and what the response repeats of it. */
export interface ParsedToolChoice {
  readonly choice: ToolChoice;
  readonly echo: unknown;
}
