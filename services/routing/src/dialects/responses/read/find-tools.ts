import type { CustomTool, FunctionTool, Tool } from '@sluice/inference';

type NamedTool = FunctionTool | CustomTool;

/** The name of a tool or of a namespace in a `tool_choice`. */
export interface ToolMention {
  readonly name: string;
  readonly namespace?: string | null | undefined;
  readonly type?: string | null | undefined;
}

/**
 * Returns the tools that a `tool_choice` names. A name without a namespace is that of a tool outside of all namespaces,
 * else that of the members with this name, else that of a namespace.
 */
export function findTools(
  { name, namespace, type }: ToolMention,
  tools: readonly Tool[],
): readonly NamedTool[] {
  const named = tools.filter((tool) => tool.type !== 'native');
  const members = named.filter((tool) => tool.namespace?.name === name);
  if (type === 'namespace') return members;
  const found = named.filter((tool) => tool.name === name);
  if (typeof namespace === 'string')
    return found.filter((tool) => tool.namespace?.name === namespace);
  const plain = found.filter((tool) => !tool.namespace);
  if (plain.length > 0) return plain;
  return found.length > 0 ? found : members;
}
