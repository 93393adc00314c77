import {
  fileFilterProblems,
  instanceProblems,
  type NamespaceBody,
  type ToolBody,
} from '@sluice/client-schemas';
import type { Issues } from '../../body/issues.ts';
import { toolsMax } from '../../body/limits.ts';
import { nameKey } from '../read/read-tools.ts';

/** Checks the rules for tools that the schema cannot express. */
export function checkTools(tools: readonly ToolBody[], path: string, issues: Issues): void {
  if (tools.length === 0) return;
  const at = (index: number): string => `${path}[${String(index)}]`;
  refuseRepeated(tools, at, issues);
  issues.addAll(instanceProblems(tools, path));
  for (const [index, tool] of tools.entries()) {
    if (tool.type === 'namespace') checkNamespace(tool, at(index), issues);
    else if (tool.type === 'file_search')
      issues.addAll(fileFilterProblems(tool.filters, `${at(index)}.filters`));
  }
  const count = tools.reduce((sum, tool) => sum + countOf(tool), 0);
  if (count > toolsMax)
    issues.add(path, `must have at most ${String(toolsMax)} items with those of its namespaces`);
}

function countOf(tool: ToolBody): number {
  return tool.type === 'namespace' ? Math.max(tool.tools.length, 1) : 1;
}

function checkNamespace({ tools }: NamespaceBody, path: string, issues: Issues): void {
  const at = (index: number): string => `${path}.tools[${String(index)}]`;
  refuseRepeated(tools, at, issues);
}

function refuseRepeated(
  tools: readonly ToolBody[],
  at: (index: number) => string,
  issues: Issues,
): void {
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    const key = nameKey(tool);
    if (key === undefined || !('name' in tool)) continue;
    if (names.has(key)) issues.add(`${at(index)}.name`, `repeats the name ${tool.name}`);
    names.add(key);
  }
}
