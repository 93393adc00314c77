import type { Tool } from '@sluice/inference';
import { matchesSchema } from './matches-schema.ts';

/** Longer arguments are not looked into. */
export const argumentsCharactersMax = 65_536;

/** A call of a tool, as the model made it. */
export interface ToolCall {
  readonly name: string;
  readonly isCustom: boolean;
  /** The arguments, or the input of a custom tool. */
  readonly text: string;
}

/**
 * Returns true for a call that no client can act on: of a tool that was not offered, with arguments that are not
 * JSON, or with such as the tool does not take. A schema that cannot be read counts as none.
 */
export function isBadCall({ name, isCustom, text }: ToolCall, tools: readonly Tool[]): boolean {
  const tool = tools.find((one) => one.type !== 'native' && one.name === name);
  if (!tool) return true;
  if (isCustom || text.length > argumentsCharactersMax) return false;
  const schema = tool.type === 'function' ? tool.parameters : undefined;
  try {
    const value: unknown = text === '' ? {} : JSON.parse(text);
    return schema !== undefined && matchesSchema(schema, value) === false;
  } catch {
    return true;
  }
}
