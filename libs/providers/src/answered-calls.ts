import { textOf, type InputItem } from '@sluice/inference';

type Call = Extract<InputItem, { type: 'function-call' | 'custom-tool-call' }>;
type Answer = Extract<InputItem, { type: 'function-call-output' | 'custom-tool-call-output' }>;

/**
 * Returns the conversation with the answers to each turn's calls directly after that turn, as providers require.
 * Later answers move to that place. A call without an answer gets a note that says so. Each answer appears once.
 * Other calls with the same id get a reference to it, so that the body size stays linear in the items.
 */
export function withAnsweredCalls(items: readonly InputItem[]): readonly InputItem[] {
  if (!items.some(isCall)) return items;
  const answers = firstAnswers(items);
  const ordered: InputItem[] = [];
  const given = new Set<InputItem>();
  let open: Call[] = [];
  let isAnswering = false;
  const answerOpen = (): void => {
    for (const call of open) {
      const answer = answers.get(keyOf(call));
      if (!answer) ordered.push(noteOf(call, '(There is no answer yet.)'));
      else if (given.has(answer)) ordered.push(noteOf(call, '(The answer to this call is above.)'));
      else ordered.push(answer);
      if (answer) given.add(answer);
    }
    open = [];
  };
  for (const item of items) {
    if (isAnswer(item)) {
      const key = keyOf(item);
      if (given.has(item)) continue;
      const isOpen = open.some((call) => keyOf(call) === key);
      open = open.filter((call) => keyOf(call) !== key);
      ordered.push(isOpen ? item : asText(item));
      given.add(item);
      isAnswering = true;
      continue;
    }
    const endsTurn = isAnswering || !isSaidByModel(item);
    if (endsTurn) answerOpen();
    isAnswering = false;
    if (isCall(item)) open.push(item);
    ordered.push(item);
  }
  answerOpen();
  return ordered;
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

function noteOf({ type, callId }: Call, output: string): Answer {
  return type === 'function-call'
    ? { type: 'function-call-output', callId, output }
    : { type: 'custom-tool-call-output', callId, output };
}

/** Turns a second answer to the same call into a user message, so that its content is kept. */
function asText({ callId, output }: Answer): InputItem {
  const content = typeof output === 'string' ? output : textOf(output);
  const text = `(Another answer to the call ${callId}:) ${content}`;
  return { type: 'message', role: 'user', content: [{ type: 'text', text }] };
}
