import type { JsonObject } from '@sluice/client-schemas';
import type { ContentPart, InputItem, Tool } from '@sluice/inference';
import type { ShownTools } from './shown-tool.ts';
import type { ToolTable } from './tool-table.ts';

interface Known {
  readonly table: ToolTable;
  readonly shown: ShownTools;
}

export interface Replayed {
  /** The given list if nothing changes. */
  readonly items: readonly InputItem[];
  /** Tools that the model may call because of earlier searches. */
  readonly reveals: readonly Named[];
}

type Named = Exclude<Tool, { type: 'native' }>;

/**
 * Returns the items with the calls of server tools that the client sends again as calls and outputs. Those of a tool
 * that the request lacks become texts.
 */
export function replayItems(items: readonly InputItem[], known: Known): Replayed {
  if (!items.some((item) => item.type === 'native' && isServed(item.item)))
    return { items, reveals: none };
  const answered = { ...known, answers: clientAnswers(items), used: new Set<JsonObject>() };
  const reveals: Named[] = [];
  const replayed = items.map((item, index): readonly InputItem[] => {
    if (item.type !== 'native' || !isServed(item.item)) return [item];
    const found = callOf(item.item, index, answered);
    for (const tool of found?.reveals ?? []) if (tool.type !== 'native') reveals.push(tool);
    return found?.items ?? (item.text === '' ? [] : [textOf(item.text)]);
  });
  const left = items.flatMap((item, index) =>
    item.type === 'native' && answered.used.has(item.item) ? [] : (replayed[index] ?? []),
  );
  return { items: left, reveals };
}

const none: readonly never[] = [];

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
): { readonly items: readonly InputItem[]; readonly reveals: readonly Tool[] } | undefined {
  const tool = table.get(String(item['type']));
  const named = [...shown].filter(([, one]) => one.tool === tool);
  const [name, found] =
    named.find(([, { settings }]) => isInstance(item, settings)) ?? named[0] ?? [];
  const again = found && tool?.replay(item, found);
  const replayed = servedBefore(item) ?? again;
  if (name === undefined || !replayed) return undefined;
  const { id } = item;
  const isName = typeof id === 'string' && idPattern.test(id);
  // The same place gets the same id in each request, so that providers find the prompt in their cache.
  const callId = isName ? id : `served_${String(index)}`;
  const reveals = again?.reveals ?? [];
  const call = { type: 'function-call', callId, name, arguments: replayed.arguments } as const;
  const outputOf = (output: string | readonly ContentPart[]) =>
    ({ type: 'function-call-output', callId, output }) as const;
  if (replayed.output !== undefined) return { items: [call, outputOf(replayed.output)], reveals };
  const answer = answers.get(replayed.callId);
  if (answer) used.add(answer);
  return { items: [call, outputOf(answerText(answer))], reveals };
}

function answerText(answer: JsonObject | undefined): string {
  if (!answer) return JSON.stringify({ error: 'the client sent no result' });
  const { status, output } = answer;
  return JSON.stringify({ status, ...(output !== null && { output }) });
}

/** Returns the call of an item of `servedItem`. */
function servedBefore({ arguments: args, served_output: output }: JsonObject) {
  if (typeof args !== 'string' || typeof output !== 'string') return undefined;
  return { arguments: args, output };
}

function isInstance({ instance_name: given }: JsonObject, { name }: JsonObject): boolean {
  return (given ?? undefined) === (typeof name === 'string' ? name.trim() : undefined);
}
