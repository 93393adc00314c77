import { textOf, type InputItem } from '@sluice/inference';

type Call = Extract<InputItem, { type: 'function-call' | 'custom-tool-call' }>;
type Answer = Extract<InputItem, { type: 'function-call-output' | 'custom-tool-call-output' }>;

/**
 * The same conversation with the answers of each turn's calls right behind that turn, as providers want it:
 * answers that come later are told there, and a call that has none yet is said to have none.
 */
export function withAnsweredCalls(items: readonly InputItem[]): readonly InputItem[] {
  if (!items.some(isCall)) return items;
  const answers = firstAnswers(items);
  const told: InputItem[] = [];
  const given = new Set<InputItem>();
  let open: Call[] = [];
  let isAnswering = false;
  const answerOpen = (): void => {
    for (const call of open) {
      const answer = answers.get(keyOf(call));
      if (answer) given.add(answer);
      told.push(answer ?? unanswered(call));
    }
    open = [];
  };
  for (const item of items) {
    if (isAnswer(item)) {
      const key = keyOf(item);
      if (given.has(item)) continue;
      const isOpen = open.some((call) => keyOf(call) === key);
      open = open.filter((call) => keyOf(call) !== key);
      told.push(isOpen ? item : asText(item));
      given.add(item);
      isAnswering = true;
      continue;
    }
    const endsTurn = isAnswering || !isSaidByModel(item);
    if (endsTurn) answerOpen();
    isAnswering = false;
    if (isCall(item)) open.push(item);
    told.push(item);
  }
  answerOpen();
  return told;
}

function isCall(item: InputItem): item is Call {
  return item.type === 'function-call' || item.type === 'custom-tool-call';
}

function isAnswer(item: InputItem): item is Answer {
  return item.type === 'function-call-output' || item.type === 'custom-tool-call-output';
}

function isSaidByModel(item: InputItem): boolean {
  return item.type !== 'message' || item.role === 'assistant';
}

function keyOf({ type, callId }: Call | Answer): string {
  return `${type.startsWith('custom') ? 'custom' : 'function'}/${callId}`;
}

function firstAnswers(items: readonly InputItem[]): ReadonlyMap<string, Answer> {
  const answers = new Map<string, Answer>();
  for (const item of items)
    if (isAnswer(item) && !answers.has(keyOf(item))) answers.set(keyOf(item), item);
  return answers;
}

function unanswered({ type, callId }: Call): Answer {
  const output = '(There is no answer yet.)';
  return type === 'function-call'
    ? { type: 'function-call-output', callId, output }
    : { type: 'custom-tool-call-output', callId, output };
}

/** A second answer to the same call: what it says is not lost. */
function asText({ callId, output }: Answer): InputItem {
  const content = typeof output === 'string' ? output : textOf(output);
  const text = `(Another answer to the call ${callId}:) ${content}`;
  return { type: 'message', role: 'user', content: [{ type: 'text', text }] };
}
