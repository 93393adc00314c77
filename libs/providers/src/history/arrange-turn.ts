import type { InputItem } from '@sluice/inference';
import type { HistoryNeeds } from './history-needs.ts';

interface ArrangedTurn {
  readonly said: readonly InputItem[];
  /** Thoughts that belong to what the model says next. */
  readonly afterAnswers: readonly InputItem[];
}

/**
 * Arranges the items of one turn of the model, so that nothing but calls and their thoughts stands between the first
 * call and the answers. Texts move before the first call where the dialect needs it. Thoughts after the last call
 * belong to the next turn: a signature is valid only for what follows its thought.
 */
export function arrangeTurn(
  said: readonly InputItem[],
  { textsFirst }: HistoryNeeds,
): ArrangedTurn {
  const firstCall = said.findIndex(isCall);
  if (firstCall === -1) return { said, afterAnswers: [] };
  const head = said.slice(0, firstCall);
  const rest = said.slice(firstCall);
  const ordered = textsFirst
    ? [...head, ...rest.filter(isText), ...rest.filter((item) => !isText(item))]
    : said;
  const end = ordered.findLastIndex(({ type }) => type !== 'reasoning') + 1;
  return { said: ordered.slice(0, end), afterAnswers: ordered.slice(end) };
}

function isCall({ type }: InputItem): boolean {
  return type === 'function-call' || type === 'custom-tool-call';
}

/** Returns true for items that other dialects get as a text of the assistant. */
function isText({ type }: InputItem): boolean {
  return type === 'message' || type === 'native';
}
