import { type ContentPart, textOf } from '@sluice/inference';
import type { ToolItem } from '@sluice/inference';
import type { CallLimits } from './limits.ts';

type Output = string | readonly ContentPart[];

/** Returns an output whose texts have at most as many characters as a result may have. */
export function boundOutput(
  output: Output,
  { resultCharactersMax: max }: Pick<CallLimits, 'resultCharactersMax'>,
): Output {
  if (typeof output === 'string') return cutText(output, max);
  let left = max;
  return output.map((part) => {
    if (part.type !== 'text') return part;
    const text = cutText(part.text, left);
    left = Math.max(0, left - part.text.length);
    return { ...part, text };
  });
}

function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, max).toWellFormed();
  return `${cut}\n[The result was cut: it had ${String(text.length)} characters.]`;
}

export function textOfOutput(output: Output): string {
  return typeof output === 'string' ? output : textOf(output);
}

/** Items are repeated in the last event of a stream. */
const itemCharactersMax = 4_194_304;

/** Returns an item without its fields if they are too long for a client. */
export function boundItem(item: ToolItem): ToolItem {
  if (JSON.stringify(item).length <= itemCharactersMax) return item;
  const { type } = item;
  return { type, status: 'incomplete', error: 'the result is too long to be shown' };
}
