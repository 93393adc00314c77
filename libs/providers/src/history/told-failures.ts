import type { ContentPart, InputItem } from '@sluice/inference';

const mark = 'error: ';
const tellsFailure = /^\s*error\b/i;

/** Puts the failures of tools into their outputs. Without a word, the model reads a failure as a result. */
export function tellFailures(items: readonly InputItem[]): readonly InputItem[] {
  return items.some(isFailure) ? items.map(toldFailure) : items;
}

function toldFailure(item: InputItem): InputItem {
  if (item.type !== 'function-call-output' || !isFailure(item)) return item;
  const { output } = item;
  return { ...item, output: typeof output === 'string' ? marked(output) : markedParts(output) };
}

function isFailure(item: InputItem): boolean {
  return item.type === 'function-call-output' && item.isError === true;
}

function marked(text: string): string {
  return tellsFailure.test(text) ? text : mark + text;
}

function markedParts(parts: readonly ContentPart[]): readonly ContentPart[] {
  const [first, ...rest] = parts;
  if (first?.type === 'text') return [{ ...first, text: marked(first.text) }, ...rest];
  return [{ type: 'text', text: mark.trim() }, ...parts];
}
