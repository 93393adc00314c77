import { isToolKind, type ResponsesBody } from '@sluice/client-schemas';
import type { ToolChoice } from '@sluice/inference';

const auto: ToolChoice = { type: 'auto' };

/** Reads `tool_choice`; `auto` when absent. */
export function readToolChoice({ tool_choice: choice }: ResponsesBody): ToolChoice {
  if (choice === undefined || choice === null) return auto;
  if (typeof choice === 'string') return { type: choice };
  if (choice.type === 'allowed_tools') {
    const natives = choice.tools.filter(({ type }) => isToolKind(type));
    const named = choice.tools.filter(({ type }) => !isToolKind(type));
    const names = named.map(({ name }) => name).filter((name) => typeof name === 'string');
    const { mode } = choice;
    return { type: 'allowed', mode, names, ...(natives.length > 0 && { natives }) };
  }
  if (choice.type === 'function' || choice.type === 'custom')
    return { type: choice.type, name: choice.name };
  return { type: 'native', tool: choice };
}
