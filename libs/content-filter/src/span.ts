/** A place in a text, in UTF-16 units, `end` exclusive. Never empty. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A place that a recognizer found. */
export interface Finding extends Span {
  /** 0 to 1: of overlapping findings the one with the higher score stays, of equal ones the longer. */
  readonly score: number;
  /** Which rule found it, as `aws_access_key`. Never the text itself. */
  readonly rule: string;
}

/** Returns findings that do not overlap, in the order of the text: by score, then length, then place. */
export function withoutOverlaps<Found extends Finding>(
  findings: readonly Found[],
): readonly Found[] {
  if (findings.length < 2) return findings;
  const kept: Found[] = [];
  for (const finding of findings.toSorted(best)) {
    const index = firstEndingAfter(kept, finding.start);
    const next = kept[index];
    if (!next || next.start >= finding.end) kept.splice(index, 0, finding);
  }
  return kept;
}

function best(one: Finding, other: Finding): number {
  return (
    other.score - one.score ||
    other.end - other.start - (one.end - one.start) ||
    one.start - other.start
  );
}

/** Searches findings that do not overlap, in the order of the text. */
function firstEndingAfter(findings: readonly Finding[], place: number): number {
  let low = 0;
  let high = findings.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((findings[middle]?.end ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}
