import type { Tool } from '@sluice/inference';
import type { CallItem } from '../responses/output-item.ts';

/** A call that no client can act on: of a tool that was not offered, or with arguments that are not JSON. */
export function isBadCall({ name, isCustom, text }: CallItem, tools: readonly Tool[]): boolean {
  if (!tools.some((tool) => tool.type !== 'native' && tool.name === name)) return true;
  if (isCustom || text === '') return false;
  try {
    JSON.parse(text);
    return false;
  } catch {
    return true;
  }
}
