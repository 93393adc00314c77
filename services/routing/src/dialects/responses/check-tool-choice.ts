import {
  isToolKind,
  type ResponsesBody,
  type ToolBody,
  type ToolChoiceBody,
} from '@sluice/client-schemas';
import type { Issues } from '../body/issues.ts';
import { addedTools } from './read-input.ts';
import { nameOf, type ParsedTool } from './read-tools.ts';
import { namesOfKind } from '../../request/tool-kinds.ts';

const absent = 'names a tool that is not in tools';

/** Checks that a request has the tools that its choice names. */
export function checkToolChoice(
  body: ResponsesBody,
  tools: readonly ParsedTool[],
  issues: Issues,
): void {
  const choice = body.tool_choice ?? 'auto';
  const given = [...(body.tools ?? []), ...addedTools(body)];
  if (choice === 'required' && given.length === 0)
    issues.add('tool_choice', 'needs at least one tool');
  if (typeof choice === 'string') return;
  if (choice.type === 'allowed_tools') return checkAllowed(choice, given, issues);
  if (choice.type === 'function' || choice.type === 'custom') {
    const isCustom = choice.type === 'custom';
    const callable = tools.flatMap((tool) => tool.callable);
    if (!callable.some((one) => one.name === choice.name && one.isCustom === isCustom))
      issues.add('tool_choice.name', absent);
  } else if (!hasKind(given, choice.type)) issues.add('tool_choice.type', absent);
}

type Allowed = Extract<ToolChoiceBody, { type: 'allowed_tools' }>;

function checkAllowed(choice: Allowed, given: readonly ToolBody[], issues: Issues): void {
  for (const [index, tool] of choice.tools.entries()) {
    const path = `tool_choice.tools[${String(index)}]`;
    const { type, name } = tool;
    if (isToolKind(type)) {
      if (!hasKind(given, type)) issues.add(`${path}.type`, absent);
    } else if (typeof name !== 'string') issues.add(`${path}.name`, 'is required');
    else if (!namesOf(given).has(name)) issues.add(`${path}.name`, absent);
  }
  if (choice.mode === 'required' && choice.tools.length === 0)
    issues.add('tool_choice.tools', 'must name a tool');
}

/** A namespace has a name, too. */
function namesOf(tools: readonly ToolBody[]): ReadonlySet<string> {
  const inner = (tool: ToolBody) => (tool.type === 'namespace' ? tool.tools : []);
  const names = tools.flatMap((tool) => [nameOf(tool), ...inner(tool).map(nameOf)]);
  return new Set(names.filter((name) => name !== undefined));
}

function hasKind(tools: readonly ToolBody[], type: string): boolean {
  const names = namesOfKind(type);
  return tools.some((tool) => names.includes(tool.type));
}
