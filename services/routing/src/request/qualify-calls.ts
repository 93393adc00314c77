import type { InputItem, Tool } from '@sluice/inference';

/**
 * Returns a function that adds the namespace to a call in the history that lacks it: some clients repeat the name
 * alone. A name that several namespaces have stays as it is.
 */
export function qualifyCalls(tools: readonly Tool[]): (item: InputItem) => InputItem {
  if (!tools.some((tool) => tool.type !== 'native' && tool.namespace)) return (item) => item;
  const namespaces = new Map<string, string | undefined>();
  for (const tool of tools)
    if (tool.type !== 'native' && tool.namespace)
      namespaces.set(tool.name, namespaces.has(tool.name) ? undefined : tool.namespace.name);
  for (const tool of tools)
    if (tool.type !== 'native' && !tool.namespace) namespaces.delete(tool.name);
  return (item) => {
    if (!('name' in item) || item.namespace !== undefined) return item;
    const namespace = namespaces.get(item.name);
    return namespace === undefined ? item : { ...item, namespace };
  };
}
