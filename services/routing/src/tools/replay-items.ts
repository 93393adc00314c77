import type { JsonObject } from '@sluice/client-schemas';
import type { InputItem } from '@sluice/inference';
import type { ShownTools } from './shown-tool.ts';
import type { ToolTable } from './tool-table.ts';

interface Known {
  readonly table: ToolTable;
  readonly shown: ShownTools;
}

/**
 * Returns the items with the calls of server tools that the client sends again as calls and outputs. Those of a tool
 * that the request lacks become texts.
 */
export function replayItems(items: readonly InputItem[], known: Known): readonly InputItem[] {
  if (!items.some((item) => item.type === 'native' && isServed(item.item))) return items;
  return items.flatMap((item, index): readonly InputItem[] => {
    if (item.type !== 'native' || !isServed(item.item)) return [item];
    return callOf(item.item, index, known) ?? [textOf(item.text)];
  });
}

function isServed({ type }: JsonObject): boolean {
  return typeof type === 'string' && type.startsWith('service:');
}

function textOf(text: string): InputItem {
  return { type: 'message', role: 'assistant', content: [{ type: 'text', text }] };
}

const idPattern = /^[A-Za-z0-9_-]{1,64}$/;

function callOf(
  item: JsonObject,
  index: number,
  { table, shown }: Known,
): readonly InputItem[] | undefined {
  const tool = table.get(String(item['type']));
  const named = [...shown].filter(([, one]) => one.tool === tool);
  const [name] = named.find(([, { settings }]) => isInstance(item, settings)) ?? named[0] ?? [];
  const replayed = tool?.replay(item);
  if (name === undefined || !replayed) return undefined;
  const { id } = item;
  const isName = typeof id === 'string' && idPattern.test(id);
  // The same place gets the same id in each request, so that providers find the prompt in their cache.
  const callId = isName ? id : `served_${String(index)}`;
  return [
    { type: 'function-call', callId, name, arguments: replayed.arguments },
    { type: 'function-call-output', callId, output: replayed.output },
  ];
}

function isInstance({ instance_name: name }: JsonObject, settings: JsonObject): boolean {
  return name !== undefined && name === settings['name'];
}
