import type { StreamPart } from '@sluice/inference';

export type DeltaPart = Extract<
  StreamPart,
  {
    type:
      | 'text-delta'
      | 'refusal-delta'
      | 'reasoning-delta'
      | 'reasoning-summary-delta'
      | 'tool-call-delta';
  }
>;

export function isDelta(part: StreamPart): part is DeltaPart {
  return part.type.endsWith('-delta');
}

/** Joins deltas that follow one another in the same text: one scan serves them all. */
export function mergeDeltas(parts: readonly StreamPart[]): readonly StreamPart[] {
  const merged: StreamPart[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (last && isDelta(part) && isDelta(last) && isSameText(last, part))
      merged[merged.length - 1] = { ...last, delta: last.delta + part.delta };
    else merged.push(part);
  }
  return merged;
}

function isSameText(one: DeltaPart, other: DeltaPart): boolean {
  if (one.type !== other.type || one.part !== other.part) return false;
  return (
    one.type !== 'reasoning-summary-delta' ||
    other.type !== 'reasoning-summary-delta' ||
    one.summary === other.summary
  );
}
