import type { InputItem, NativeItem } from '@sluice/inference';

type Fields = NativeItem['item'];
type Call = Extract<InputItem, { type: 'function-call' }>;
type Answer = Extract<InputItem, { type: 'function-call-output' }>;

/** A call of a tool of OpenAI's API, as a call of a function. */
interface CallForm {
  /** The name of the function, if the request has no tool of the kind. */
  readonly name: string;
  arguments(item: Fields): unknown;
  /** The output, for an item that has it. undefined: it is an item of its own. */
  output?(item: Fields): string;
}

const calls: ReadonlyMap<unknown, CallForm> = new Map<string, CallForm>([
  ['apply_patch_call', { name: 'apply_patch', arguments: ({ operation }) => ({ operation }) }],
  ['shell_call', { name: 'shell', arguments: ({ action }) => action }],
  ['local_shell_call', { name: 'local_shell', arguments: ({ action }) => action }],
  [
    'computer_call',
    { name: 'computer', arguments: ({ action, actions }) => ({ actions: actions ?? [action] }) },
  ],
  [
    'code_interpreter_call',
    {
      name: 'code_interpreter',
      arguments: ({ code }) => ({ code }),
      output: ({ status, outputs }) => JSON.stringify({ status, outputs: outputs ?? [] }),
    },
  ],
]);

const outputs: ReadonlyMap<unknown, (item: Fields) => string> = new Map([
  ['apply_patch_call_output', ({ status, output }: Fields) => JSON.stringify({ status, output })],
  ['shell_call_output', ({ output }: Fields) => JSON.stringify({ results: output })],
  ['local_shell_call_output', ({ output }: Fields) => String(output)],
  // A picture would be megabytes of text.
  ['computer_call_output', () => 'a screenshot'],
]);

/**
 * Returns the items with the calls of tools of OpenAI's API as calls of functions, with their outputs. A dialect that
 * does not know the items would get them as texts of the model, which it would imitate.
 */
export function callsOfItems(items: readonly InputItem[]): readonly InputItem[] {
  if (!items.some((item) => item.type === 'native' && calls.has(item.item['type']))) return items;
  const ids = new Map<unknown, string>();
  return items.flatMap((item): readonly InputItem[] => {
    if (item.type !== 'native') return [item];
    const call = callOf(item);
    if (!call) return [answerOf(item, ids) ?? item];
    const { call_id: callId, id } = item.item;
    // The output of a local shell names its call by either.
    for (const name of [callId, id]) if (typeof name === 'string') ids.set(name, call.callId);
    const output = calls.get(item.item['type'])?.output?.(item.item);
    if (output === undefined) return [call];
    return [call, { type: 'function-call-output', callId: call.callId, output }];
  });
}

function callOf({ item, toolName }: NativeItem): Call | undefined {
  const form = calls.get(item['type']);
  const callId = item['call_id'] ?? item['id'];
  if (!form || typeof callId !== 'string' || callId === '') return undefined;
  const { name } = form;
  const text = JSON.stringify(form.arguments(item) ?? {});
  return { type: 'function-call', callId, name: toolName ?? name, arguments: text };
}

/** Returns undefined for an output whose call is not there. */
function answerOf({ item }: NativeItem, ids: ReadonlyMap<unknown, string>): Answer | undefined {
  const output = outputs.get(item['type'])?.(item);
  const callId = ids.get(item['call_id'] ?? item['id']);
  if (output === undefined || callId === undefined) return undefined;
  const hasFailed = item['type'] === 'apply_patch_call_output' && item['status'] === 'failed';
  return { type: 'function-call-output', callId, output, ...(hasFailed && { isError: true }) };
}
