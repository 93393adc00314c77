import { addressKey, addressOf, type Tool, type ToolChoice } from '@sluice/inference';
import type { RunCall } from './run-calls.ts';

type NamedTool = Exclude<Tool, { type: 'native' }>;

/** Returns the tools that results revealed and that the model does not see yet, each once. */
export function newTools(tools: readonly Tool[], ran: readonly RunCall[]): readonly NamedTool[] {
  const known = new Set(tools.flatMap((tool) => (tool.type === 'native' ? [] : addressKey(tool))));
  return ran
    .flatMap(({ result }) => result.reveals ?? [])
    .filter((tool) => tool.type !== 'native')
    .filter((tool) => !known.has(addressKey(tool)) && known.add(addressKey(tool)));
}

/** A forced choice is for the first turn: it would never end otherwise. */
export function choiceAfter(choice: ToolChoice, revealed: readonly NamedTool[]): ToolChoice {
  switch (choice.type) {
    case 'none':
    case 'auto':
      return choice;
    case 'allowed':
      return { ...choice, mode: 'auto', tools: [...choice.tools, ...revealed.map(addressOf)] };
    case 'required':
    case 'function':
    case 'custom':
    case 'native':
      return { type: 'auto' };
  }
}
