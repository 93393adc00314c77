import { parseJson } from '../json-reader.ts';

/** The deltas of one text so far. Grows in place, because a copy for each delta costs more than the delta itself. */
export interface SentText {
  text: string;
}

/** The result of comparing a whole text with its deltas. */
export type Reconciled =
  | { readonly type: 'same' }
  /** The deltas lack the rest. */
  | { readonly type: 'short'; readonly rest: string }
  /** The whole text contradicts the deltas, and wins. */
  | { readonly type: 'contrary'; readonly text: string };

const same = { type: 'same' } as const;

/**
 * Compares the text that the deltas have with the text that a later event has as a whole. An empty whole text says
 * nothing, because many servers leave it out.
 */
export function reconcile(sent: string, told: string): Reconciled {
  if (told === '' || told === sent) return same;
  if (told.startsWith(sent)) return { type: 'short', rest: told.slice(sent.length) };
  return { type: 'contrary', text: told };
}

/** Compares the arguments of a function as `reconcile` does. Arguments that parse win over others. */
export function reconcileArguments(sent: string, told: string): Reconciled {
  const reconciled = reconcile(sent, told);
  if (reconciled.type === 'same' || sent === '') return reconciled;
  const isSentWhole = parseJson(sent) !== undefined;
  return isSentWhole && parseJson(told) === undefined ? same : reconciled;
}
