import {
  isToolKind,
  type ResponsesBody,
  type ToolBody,
  type ToolChoiceBody,
} from '@sluice/client-schemas';
import type { Tool } from '@sluice/inference';
import type { Issues } from '../../body/issues.ts';
import { findTools } from '../read/find-tools.ts';
import { addedTools } from '../read/read-input.ts';
import { namesOfKind } from '../../../request/tool-kinds.ts';

const absent = 'names a tool that is not in tools';
const ambiguous = 'names tools of several namespaces: add the namespace';

/** Checks that a request has the tools that its choice names. */
export function checkToolChoice(body: ResponsesBody, tools: readonly Tool[], issues: Issues): void {
  const choice = body.tool_choice ?? 'auto';
  const given = [...(body.tools ?? []), ...addedTools(body).map(({ tool }) => tool)];
  if (choice === 'required' && given.length === 0)
    issues.add('tool_choice', 'needs at least one tool');
  if (typeof choice === 'string') return;
  if (choice.type === 'allowed_tools') return checkAllowed(choice, given, tools, issues);
  if (choice.type === 'function' || choice.type === 'custom') {
    const found = findTools(choice, tools).filter(({ type }) => type === choice.type);
    if (found.length === 0) issues.add('tool_choice.name', absent);
    else if (found.length > 1) issues.add('tool_choice.name', ambiguous);
  } else if (!hasKind(given, choice.type)) issues.add('tool_choice.type', absent);
}

type Allowed = Extract<ToolChoiceBody, { type: 'allowed_tools' }>;

function checkAllowed(
  choice: Allowed,
  given: readonly ToolBody[],
  tools: readonly Tool[],
  issues: Issues,
): void {
  for (const [index, tool] of choice.tools.entries()) {
    const path = `tool_choice.tools[${String(index)}]`;
    const { type, name } = tool;
    if (isToolKind(type)) {
      if (!hasKind(given, type)) issues.add(`${path}.type`, absent);
    } else if (typeof name !== 'string') issues.add(`${path}.name`, 'is required');
    else if (findTools({ ...tool, name }, tools).length === 0) issues.add(`${path}.name`, absent);
  }
  if (choice.mode === 'required' && choice.tools.length === 0)
    issues.add('tool_choice.tools', 'must name a tool');
}

function hasKind(tools: readonly ToolBody[], type: string): boolean {
  const names = namesOfKind(type);
  return tools.some((tool) => names.includes(tool.type));
}
