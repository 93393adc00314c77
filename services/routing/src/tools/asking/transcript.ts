import { type ContentPart, type InputItem, textOf } from '@sluice/inference';

/**
 * Returns a conversation for a model that has none of its tools: calls and their outputs become texts. Thoughts are for
 * the model that had them.
 */
export function transcriptOf(items: readonly InputItem[]): readonly InputItem[] {
  return items.flatMap((item): readonly InputItem[] => {
    switch (item.type) {
      case 'message':
        return [item];
      case 'function-call':
        return [message('assistant', `[Called ${item.name}: ${item.arguments}]`)];
      case 'custom-tool-call':
        return [message('assistant', `[Called ${item.name}: ${item.input}]`)];
      case 'function-call-output':
      case 'custom-tool-call-output':
        return [message('user', `[The tool answered: ${plain(item.output)}]`)];
      case 'native':
        return item.text === '' ? [] : [message('assistant', item.text)];
      case 'reasoning':
        return [];
    }
  });
}

export function message(role: 'user' | 'assistant', text: string): InputItem {
  return { type: 'message', role, content: [{ type: 'text', text }] };
}

function plain(output: string | readonly ContentPart[]): string {
  return typeof output === 'string' ? output : textOf(output);
}
