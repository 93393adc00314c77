import { addressKey, type Tool } from '@sluice/inference';
import { matchesSchema } from './matches-schema.ts';

/** Longer arguments are not checked. */
export const argumentsCharactersMax = 65_536;

/** A call of a tool, as the model made it. */
export interface ToolCall {
  readonly name: string;
  readonly namespace?: string;
  readonly isCustom: boolean;
  /** The arguments, or the input of a custom tool. */
  readonly text: string;
}

/**
 * Returns true for a call that no client can execute: the tool was not offered, or the arguments are not JSON or do
 * not match the schema. A schema that cannot be read counts as absent.
 */
export function isBadCall(call: ToolCall, tools: readonly Tool[]): boolean {
  const { isCustom, text } = call;
  const key = addressKey(call);
  const tool = tools.find((one) => one.type !== 'native' && addressKey(one) === key);
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
