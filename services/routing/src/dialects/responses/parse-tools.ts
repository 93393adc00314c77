import type { CustomTool, FunctionTool, Tool } from '@sluice/inference';
import { checkAgents } from './agent-tools.ts';
import { Fields, isObject, type JsonObject } from './fields.ts';
import type { Issues } from './issues.ts';
import { descriptionCharactersMax, toolsMax } from './limits.ts';
import { nativeToolCheck } from './native-tools.ts';
import { serverTools } from './server-tools.ts';
import { listOf, mapOf, oneOf, anything } from './shape.ts';

const functionNamePattern = /^[A-Za-z0-9_-]{1,64}$/;

/** A tool, and what the response repeats of it. */
export interface ParsedTool {
  readonly tool: Tool;
  readonly echo: JsonObject;
  /** Those that it stands for: its own, or of a namespace those in it. */
  readonly callable: readonly CallableTool[];
}

/** A tool that a model calls by a name. */
interface CallableTool {
  readonly name: string;
  readonly isCustom: boolean;
  /** Its calls may be answered later than in the next turn. */
  readonly isAsync: boolean;
}

const none: readonly [] = [];

/** The tools of a request, or of an item that adds some. One that is not built is refused by its name. */
export function parseTools(holder: Fields, issues: Issues): readonly ParsedTool[] {
  const given = holder.array('tools', toolsMax) ?? none;
  if (given.length === 0) return none;
  const path = holder.path('tools');
  const at = (index: number): string => `${path}[${String(index)}]`;
  const parsed = given.map((tool, index) => parseTool(tool, at(index), issues));
  refuseRepeated(parsed, at, issues);
  const tools = parsed.filter((tool) => tool !== undefined);
  checkAgents(given, functionNames(tools), { path, issues });
  for (const [index, tool] of given.entries())
    if (isObject(tool) && serverTools.has(tool['type']))
      issues.addUnbuilt(`${at(index)}.type`, `the tool ${String(tool['type'])}`);
  if (tools.reduce((sum, { callable }) => sum + Math.max(callable.length, 1), 0) > toolsMax)
    issues.add(path, `must have at most ${String(toolsMax)} items with those of its namespaces`);
  return tools;
}

function refuseRepeated(
  tools: readonly (ParsedTool | undefined)[],
  at: (index: number) => string,
  issues: Issues,
): void {
  const names = new Set<string>();
  for (const [index, parsed] of tools.entries()) {
    const name = parsed && nameOf(parsed.tool);
    if (name !== undefined && names.has(name))
      issues.add(`${at(index)}.name`, `repeats the name ${name}`);
    if (name !== undefined) names.add(name);
  }
}

/** undefined: it is called by its kind. */
export function nameOf(tool: Tool): string | undefined {
  if (tool.type !== 'native') return tool.name;
  const { type, name } = tool.tool;
  return type === 'namespace' && typeof name === 'string' ? name : undefined;
}

/** undefined: a bad one, or one that the service would run. */
function parseTool(tool: unknown, path: string, issues: Issues): ParsedTool | undefined {
  if (!isObject(tool)) return issues.add(path, 'must be a tool');
  const fields = new Fields(tool, { path, issues });
  const { type } = tool;
  if (type === 'function') return parseFunction(fields);
  if (type === 'custom') return parseCustom(fields, issues);
  if (type === 'namespace') return parseNamespace(tool, fields, issues);
  const check = serverTools.get(type) ?? nativeToolCheck(type);
  if (!check) return refuseUnknown(type, fields);
  check(tool, { path, issues });
  if (serverTools.has(type)) return undefined;
  return { tool: { type: 'native', tool }, echo: tool, callable: [] };
}

function refuseUnknown(type: unknown, fields: Fields): undefined {
  const isOfService = typeof type === 'string' && type.startsWith('service:');
  const known = isOfService ? 'the service has no such tool' : 'is no known kind of tool';
  return fields.refuse('type', known);
}

function parseFunction(fields: Fields): ParsedTool | undefined {
  const name = parseName(fields);
  const description = fields.string('description', { charactersMax: descriptionCharactersMax });
  const parameters = fields.object('parameters');
  const strict = fields.boolean('strict');
  const isAsync = fields.boolean('async') ?? false;
  fields.boolean('defer_loading');
  if (name === undefined) return undefined;
  const tool: FunctionTool = {
    type: 'function',
    name,
    description,
    parameters,
    strict,
    ...(isAsync && { isAsync }),
  };
  const echo = {
    type: 'function',
    name,
    description: description ?? null,
    parameters: parameters ?? null,
    strict: strict ?? null,
    ...(isAsync && { async: true }),
  };
  return { tool, echo, callable: [{ name, isCustom: false, isAsync }] };
}

function parseCustom(fields: Fields, issues: Issues): ParsedTool | undefined {
  const name = parseName(fields);
  const description = fields.string('description', { charactersMax: descriptionCharactersMax });
  const isAsync = fields.boolean('async') ?? false;
  fields.boolean('defer_loading');
  const format = fields.object('format');
  if (format) checkGrammar(new Fields(format, { path: fields.path('format'), issues }));
  if (name === undefined) return undefined;
  const tool: CustomTool = {
    type: 'custom',
    name,
    description,
    format,
    ...(isAsync && { isAsync }),
  };
  const echo = {
    type: 'custom',
    name,
    description: description ?? null,
    format: format ?? { type: 'text' },
    ...(isAsync && { async: true }),
  };
  return { tool, echo, callable: [{ name, isCustom: true, isAsync }] };
}

function checkGrammar(format: Fields): void {
  if (!format.has('type')) format.refuse('type', 'is required');
  if (format.oneOf('type', ['text', 'grammar']) !== 'grammar') return;
  if (!format.has('syntax')) format.refuse('syntax', 'is required');
  format.oneOf('syntax', ['lark', 'regex']);
  format.requiredString('definition');
}

const callers = listOf(oneOf('direct', 'programmatic'));
const outputSchema = mapOf(anything);

/** Functions and custom tools under one name: forwarded as they came to the dialect that has them. */
function parseNamespace(tool: JsonObject, fields: Fields, issues: Issues): ParsedTool | undefined {
  const name = parseName(fields);
  fields.requiredString('description', { charactersMax: descriptionCharactersMax });
  if (!fields.has('tools')) fields.refuse('tools', 'is required');
  const given = fields.array('tools', toolsMax) ?? [];
  const at = (index: number): string => `${fields.path('tools')}[${String(index)}]`;
  const inner = given.map((one, index) => {
    if (!isObject(one)) return issues.add(at(index), 'must be a tool');
    const of = new Fields(one, { path: at(index), issues });
    if (one['type'] === 'custom') return parseCustom(of, issues);
    if (one['type'] !== 'function') return of.refuse('type', 'must be one of function, custom');
    if (of.has('allowed_callers'))
      callers(of.value('allowed_callers'), { path: of.path('allowed_callers'), issues });
    if (of.has('output_schema'))
      outputSchema(of.value('output_schema'), { path: of.path('output_schema'), issues });
    return parseFunction(of);
  });
  refuseRepeated(inner, at, issues);
  if (name === undefined) return undefined;
  const callable = inner.flatMap((one) => one?.callable ?? []);
  return { tool: { type: 'native', tool }, echo: tool, callable };
}

function parseName(fields: Fields): string | undefined {
  const name = fields.requiredString('name');
  if (name === undefined || functionNamePattern.test(name)) return name;
  return fields.refuse('name', 'must be 1 to 64 of the characters A-Z a-z 0-9 _ -');
}

const noNames: ReadonlySet<string> = new Set();

/** Names of tools whose calls may be answered later than in the next turn. */
export function asyncNames(tools: readonly ParsedTool[]): ReadonlySet<string> {
  if (tools.length === 0) return noNames;
  const all = tools.flatMap(({ callable }) => callable);
  return new Set(all.filter(({ isAsync }) => isAsync).map(({ name }) => name));
}

function functionNames(tools: readonly ParsedTool[]): ReadonlySet<string> {
  const all = tools.flatMap(({ callable }) => callable);
  return new Set(all.filter(({ isCustom }) => !isCustom).map(({ name }) => name));
}
