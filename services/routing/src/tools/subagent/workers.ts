import type { JsonObject } from '@sluice/client-schemas';
import type { InputItem } from '@sluice/inference';

/** A worker that waits for functions of the client. */
export interface SuspendedWorker {
  /** The id of the call that began it. */
  readonly callId: string;
  readonly taskName: string;
  readonly taskDescription: string;
  /** The name of its instance. Absent: it has none. */
  readonly name?: string | undefined;
  /** The conversation of the worker with the outputs of the client. Empty: the client did not send it. */
  readonly items: readonly InputItem[];
}

/** The items of a conversation without those of suspended workers, which are apart. */
export interface TakenWorkers {
  /** The given list if there are none. */
  readonly items: readonly InputItem[];
  readonly workers: readonly SuspendedWorker[];
}

const none: readonly never[] = [];

export type OpenCall = Extract<InputItem, { type: 'function-call' }>;

/**
 * Takes the suspended workers out of a conversation. The calls of workers and their outputs are no part of what the
 * model of the conversation reads. Without the tool no worker goes on, and the items that announced them stay.
 */
export function takeWorkers(
  items: readonly InputItem[],
  { isServed }: { readonly isServed: boolean },
): TakenWorkers {
  if (!items.some(isOfWorker)) return { items, workers: none };
  const calls = items.filter((item): item is OpenCall => isWorkerCall(item));
  const suspended = items.flatMap((item) => {
    const found = item.type === 'native' ? item.item : undefined;
    return found && isSuspended(found) ? [found] : [];
  });
  const settled: ReadonlySet<unknown> = new Set(items.map(settledId));
  const outputs = new Map(
    items.flatMap((item) =>
      item.type === 'function-call-output' ? [[item.callId, item] as const] : [],
    ),
  );
  const owned = new Set(calls.map(({ callId }) => callId));
  const left = items.filter((item) => {
    if (item.type === 'native') return !isServed || !suspended.includes(item.item);
    return !isWorkerCall(item) && !(item.type === 'function-call-output' && owned.has(item.callId));
  });
  const waiting = isServed ? suspended.filter(({ call_id: id }) => !settled.has(id)) : [];
  return {
    items: left,
    workers: waiting.map((item) => {
      const own = calls.filter(({ subagent }) => subagent?.id === item['call_id']);
      return workerOf(item, own, outputs);
    }),
  };
}

function isOfWorker(item: InputItem): boolean {
  return isWorkerCall(item) || (item.type === 'native' && isSuspended(item.item));
}

function isWorkerCall(item: InputItem): boolean {
  return item.type === 'function-call' && item.subagent !== undefined;
}

/** Returns true for the item by which a worker was announced. */
export function isSuspended({ type, status }: JsonObject): boolean {
  return type === 'service:subagent' && status === 'in_progress';
}

function settledId(item: InputItem): unknown {
  if (item.type !== 'native' || item.item['type'] !== 'service:subagent') return undefined;
  return isSuspended(item.item) ? undefined : item.item['call_id'];
}

/** The last round of a worker has its whole conversation. */
function workerOf(
  item: JsonObject,
  calls: readonly OpenCall[],
  outputs: ReadonlyMap<string, InputItem>,
): SuspendedWorker {
  const { call_id: callId, task_name: name, task_description: task, name: instance } = item;
  const transcript = calls.findLast(({ subagent }) => subagent?.items !== undefined);
  const before = transcript?.subagent?.items ?? [];
  const pending = openCalls(before).map(
    ({ callId: id }): InputItem =>
      outputs.get(id) ?? { type: 'function-call-output', callId: id, output: noOutput },
  );
  return {
    callId: String(callId),
    taskName: String(name),
    taskDescription: String(task),
    ...(typeof instance === 'string' && { name: instance }),
    items: before.length > 0 ? [...before, ...pending] : [],
  };
}

const noOutput = JSON.stringify({ error: 'the client sent no result' });

/** Returns the calls of functions in a conversation that have no output yet. */
export function openCalls(items: readonly InputItem[]): readonly OpenCall[] {
  const answered = new Set(
    items.flatMap((item) => (item.type === 'function-call-output' ? item.callId : [])),
  );
  return items.filter(
    (item): item is OpenCall => item.type === 'function-call' && !answered.has(item.callId),
  );
}
