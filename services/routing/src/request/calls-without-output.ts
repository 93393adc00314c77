import { addressKey, type InputItem, type Tool } from '@sluice/inference';

type Call = Extract<InputItem, { type: 'function-call' | 'custom-tool-call' }>;

interface PlacedCall {
  readonly index: number;
  readonly call: Call;
}

export interface CallsWithoutOutput {
  /** The conversation went on after them, for example because the user pressed Escape. */
  readonly interrupted: readonly PlacedCall[];
  /** Nothing but calls and thoughts follows them: the client owes their outputs. */
  readonly open: readonly PlacedCall[];
}

const none: CallsWithoutOutput = { interrupted: [], open: [] };

/** Finds the calls without an output. A tool that may answer later has none. */
export function callsWithoutOutput(
  items: readonly InputItem[],
  tools: readonly Tool[],
): CallsWithoutOutput {
  if (!items.some(isCall)) return none;
  const unanswered = new Map<string, PlacedCall>();
  let end = 0;
  for (const [index, item] of items.entries()) {
    if (isCall(item)) unanswered.set(`${item.type}/${item.callId}`, { index, call: item });
    else if (item.type === 'function-call-output')
      unanswered.delete(`function-call/${item.callId}`);
    else if (item.type === 'custom-tool-call-output')
      unanswered.delete(`custom-tool-call/${item.callId}`);
    if (!isPartOfCalling(item)) end = index;
  }
  if (unanswered.size === 0) return none;
  const later = asyncKeys(tools);
  const calls = [...unanswered.values()].filter(({ call }) => !later.has(addressKey(call)));
  return {
    interrupted: calls.filter(({ index }) => index < end),
    open: calls.filter(({ index }) => index >= end),
  };
}

function isCall(item: InputItem): item is Call {
  return item.type === 'function-call' || item.type === 'custom-tool-call';
}

function isPartOfCalling(item: InputItem): boolean {
  return isCall(item) || item.type === 'reasoning';
}

function asyncKeys(tools: readonly Tool[]): ReadonlySet<string> {
  const later = tools.filter((tool) => tool.type !== 'native' && tool.isAsync === true);
  return new Set(later.flatMap((tool) => (tool.type === 'native' ? [] : addressKey(tool))));
}

const namedMax = 5;
const wordCharactersMax = 64;

/** Names the interrupted calls for a header: printable ASCII. Returns undefined if there are none. */
export function interruptedWarning(
  items: readonly InputItem[],
  tools: readonly Tool[],
): string | undefined {
  const { interrupted } = callsWithoutOutput(items, tools);
  if (interrupted.length === 0) return undefined;
  const named = interrupted
    .slice(0, namedMax)
    .map(({ call }) => `call ${wordOf(call.callId)} of ${wordOf(call.name)}`);
  const more = interrupted.length - named.length;
  const list = named.join(', ') + (more > 0 ? ` and ${String(more)} more` : '');
  return `no output of ${list}: the model is told interrupted`;
}

function wordOf(text: string): string {
  return text.slice(0, wordCharactersMax).replaceAll(/[^\w.-]/g, '?');
}
