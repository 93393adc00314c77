import {
  instanceProblems,
  isObject,
  isServerTool,
  type JsonObject,
  serverToolProblems,
} from '@sluice/client-schemas';
import type { Tool } from '@sluice/inference';
import type { Issues } from '../body/issues.ts';

/** A tool of the request and its place in the body, such as `tools[0]`. */
interface PlacedTool {
  readonly path: string;
  readonly tool: Tool;
}

const type = 'service:subagent';

/**
 * Checks the tools and functions of subagents, which a schema alone cannot (contract inference.md 5.9). `placed`
 * returns all tools of the request. Only a format with a place for the calls of workers has `isResumable`.
 */
export function checkSubagents(
  kinds: readonly { readonly type?: unknown }[],
  placed: () => readonly PlacedTool[],
  issues: Issues,
  isResumable = false,
): void {
  if (!kinds.some((one) => one.type === type)) return;
  const tools = placed();
  const names = tools.flatMap(({ tool }) => (tool.type === 'function' ? tool.name : []));
  const functions: ReadonlySet<string> = new Set(names);
  for (const { path, tool } of tools) {
    if (tool.type !== 'native' || tool.tool['type'] !== type) continue;
    const { parameters } = tool.tool;
    if (!isObject(parameters)) continue;
    checkTools(parameters, `${path}.parameters.tools`, issues);
    checkFunctions(parameters, functions, { path: `${path}.parameters`, issues, isResumable });
  }
}

function checkTools({ tools }: JsonObject, path: string, issues: Issues): void {
  if (!Array.isArray(tools)) return;
  const entries = tools.filter((entry: unknown) => isObject(entry));
  issues.addAll(instanceProblems(entries, path));
  for (const [index, entry] of entries.entries()) {
    const at = `${path}[${String(index)}]`;
    const { type: kind } = entry;
    if (typeof kind !== 'string' || kind === '') continue;
    if (kind === type) issues.add(`${at}.type`, 'a subagent has no subagent of its own');
    else if (!kind.startsWith('service:'))
      issues.add(`${at}.type`, 'must be a tool of the service, such as service:datetime');
    else if (isServerTool(kind)) issues.addAll(serverToolProblems(entry, at));
    else issues.add(`${at}.type`, 'is no known kind of tool');
  }
}

interface Place {
  readonly path: string;
  readonly issues: Issues;
  readonly isResumable: boolean;
}

function checkFunctions(
  { inherit_functions: all, inherited_function_names: named }: JsonObject,
  functions: ReadonlySet<string>,
  { path, issues, isResumable }: Place,
): void {
  if (all === true && !isResumable) return issues.add(`${path}.inherit_functions`, notHere);
  if (all === true || !Array.isArray(named)) return;
  const at = `${path}.inherited_function_names`;
  for (const [index, name] of named.entries())
    if (typeof name === 'string' && name.trim() !== '' && !functions.has(name.trim()))
      issues.add(`${at}[${String(index)}]`, `names no function of the request: ${name}`);
  if (named.length > 0 && !isResumable) issues.add(at, notHere);
}

const notHere = 'is known, but not here: ask POST /responses for it';
