import { type InputItem, textOf } from '@sluice/inference';

/** The part of an answer that is judged: its text and its calls. Thoughts and pictures are not. */
export interface JudgedMessage {
  readonly text: string;
  readonly tool_calls: readonly JudgedCall[];
}

interface JudgedCall {
  readonly name: string;
  readonly arguments: string;
}

/** Returns the message of an answer. undefined: it has neither a text nor a call. */
export function judgedMessage(answer: readonly InputItem[]): JudgedMessage | undefined {
  const text = answer.map(textIn).join('');
  const calls = answer.flatMap((item) => callIn(item) ?? []);
  return text === '' && calls.length === 0 ? undefined : { text, tool_calls: calls };
}

function textIn(item: InputItem): string {
  return item.type === 'message' ? textOf(item.content) : '';
}

function callIn(item: InputItem): JudgedCall | undefined {
  switch (item.type) {
    case 'function-call':
      return { name: nameOf(item), arguments: item.arguments };
    case 'custom-tool-call':
      return { name: nameOf(item), arguments: item.input };
    case 'native': {
      const { type, ...rest } = item.item;
      return item.picture ? undefined : { name: String(type), arguments: JSON.stringify(rest) };
    }
    case 'message':
    case 'reasoning':
    case 'function-call-output':
    case 'custom-tool-call-output':
      return undefined;
  }
}

function nameOf({
  name,
  namespace,
}: {
  readonly name: string;
  readonly namespace?: string;
}): string {
  return namespace === undefined ? name : `${namespace}.${name}`;
}
