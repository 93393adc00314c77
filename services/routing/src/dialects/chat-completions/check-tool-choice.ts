import type { ChatBody } from '@sluice/client-schemas';
import type { Issues } from '../body/issues.ts';
import { calledName, readTools } from './read-tools.ts';

const absent = 'names a tool that is not in tools';

/** Checks that a request has the tools that its choice names. */
export function checkToolChoice(body: ChatBody, issues: Issues): void {
  const { tools, tool_choice: choice, function_call: called } = body;
  const callable = readTools(body);
  const has = (name: string, type: string): boolean =>
    callable.some((tool) => tool.type !== 'native' && tool.type === type && tool.name === name);
  if (called && typeof called !== 'string' && !has(called.name, 'function'))
    issues.add('function_call.name', 'names a function that is not in functions');
  if (choice === 'required' && (tools ?? []).length === 0)
    issues.add('tool_choice', 'needs at least one tool');
  if (!choice || typeof choice === 'string') return;
  switch (choice.type) {
    case 'function':
    case 'custom': {
      const name = calledName(choice);
      if (!has(name, choice.type)) issues.add(`tool_choice.${choice.type}.name`, absent);
      return;
    }
    case 'allowed_tools': {
      const path = 'tool_choice.allowed_tools.tools';
      const { mode, tools: allowed } = choice.allowed_tools;
      for (const [index, tool] of allowed.entries())
        if (!has(calledName(tool), tool.type))
          issues.add(`${path}[${String(index)}].${tool.type}.name`, absent);
      if (mode === 'required' && allowed.length === 0) issues.add(path, 'must name a tool');
      return;
    }
    default:
      if (!(tools ?? []).some(({ type }) => type === choice.type))
        issues.add('tool_choice.type', absent);
  }
}
