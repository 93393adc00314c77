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
  const answers = clientAnswers(items);
  const used = new Set<JsonObject>();
  const replayed = items.map((item, index): readonly InputItem[] => {
    if (item.type !== 'native' || !isServed(item.item)) return [item];
    return callOf(item.item, index, { ...known, answers, used }) ?? [textOf(item.text)];
  });
  return items.flatMap((item, index) =>
    item.type === 'native' && used.has(item.item) ? [] : (replayed[index] ?? []),
  );
}

function isServed({ type }: JsonObject): boolean {
  return typeof type === 'string' && type.startsWith('service:');
}

function textOf(text: string): InputItem {
  return { type: 'message', role: 'assistant', content: [{ type: 'text', text }] };
}

/** Returns the items in which a client says how it did what the model asked for, by their `call_id`. */
function clientAnswers(items: readonly InputItem[]): ReadonlyMap<unknown, JsonObject> {
  return new Map(
    items.flatMap((item): readonly (readonly [unknown, JsonObject])[] =>
      item.type === 'native' && String(item.item['type']).endsWith('_call_output')
        ? [[item.item['call_id'], item.item]]
        : [],
    ),
  );
}

interface Answered extends Known {
  readonly answers: ReadonlyMap<unknown, JsonObject>;
  /** Gets the answers that became outputs. */
  readonly used: Set<JsonObject>;
}

const idPattern = /^[A-Za-z0-9_-]{1,64}$/;

function callOf(
  item: JsonObject,
  index: number,
  { table, shown, answers, used }: Answered,
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
  const call = { type: 'function-call', callId, name, arguments: replayed.arguments } as const;
  if (replayed.output !== undefined)
    return [call, { type: 'function-call-output', callId, output: replayed.output }];
  const answer = answers.get(replayed.callId);
  if (answer) used.add(answer);
  return [call, { type: 'function-call-output', callId, output: answerText(answer) }];
}

function answerText(answer: JsonObject | undefined): string {
  if (!answer) return JSON.stringify({ error: 'the client sent no result' });
  const { status, output } = answer;
  return JSON.stringify({ status, ...(output !== null && { output }) });
}

function isInstance({ instance_name: name }: JsonObject, settings: JsonObject): boolean {
  return name !== undefined && name === settings['name'];
}
