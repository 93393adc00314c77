import type { Redaction } from '@sluice/content-filter';

/**
 * Returns a function that gives the redactions which touch a place. Redactions and asked places are in the order of
 * the text, so that all questions together cost one pass.
 */
export function redactionsWithin(
  redactions: readonly Redaction[],
): (start: number, end: number) => readonly Redaction[] {
  let first = 0;
  return (start, end) => {
    while ((redactions[first]?.end ?? Infinity) <= start) first++;
    let last = first;
    while ((redactions[last]?.start ?? Infinity) < end) last++;
    return redactions.slice(first, last);
  };
}
