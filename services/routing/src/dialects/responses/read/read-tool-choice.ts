import { isToolKind, type ResponsesBody, type ToolChoiceBody } from '@sluice/client-schemas';
import { addressOf, type Tool, type ToolChoice } from '@sluice/inference';
import { findTools } from './find-tools.ts';

const auto: ToolChoice = { type: 'auto' };

/** Reads `tool_choice`; `auto` when absent. */
export function readToolChoice(
  { tool_choice: choice }: ResponsesBody,
  tools: readonly Tool[],
): ToolChoice {
  if (choice === undefined || choice === null) return auto;
  if (typeof choice === 'string') return { type: choice };
  if (choice.type === 'allowed_tools') return readAllowed(choice, tools);
  if (choice.type !== 'function' && choice.type !== 'custom')
    return { type: 'native', tool: choice };
  const { type } = choice;
  const [tool] = findTools(choice, tools).filter((found) => found.type === type);
  return { type, ...addressOf(tool ?? { name: choice.name }) };
}

type Allowed = Extract<ToolChoiceBody, { type: 'allowed_tools' }>;

function readAllowed({ mode, tools: listed }: Allowed, tools: readonly Tool[]): ToolChoice {
  const natives = listed.filter(({ type }) => isToolKind(type));
  const found = listed.flatMap((mention) => {
    const { name, type } = mention;
    if (isToolKind(type) || typeof name !== 'string') return [];
    return findTools({ ...mention, name }, tools);
  });
  const named = [...new Set(found)].map(addressOf);
  return { type: 'allowed', mode, tools: named, ...(natives.length > 0 && { natives }) };
}
