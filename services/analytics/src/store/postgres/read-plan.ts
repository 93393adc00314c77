import type { Question } from '@sluice/analytics-model';
import { dayMs, floorTo } from '../instants.ts';
import { type Kept, type Plan, planOf, type Segment } from '../plan.ts';

/** A segment of a statement in SQL. */
export interface ReadSegment extends Segment {
  /**
   * The condition under which it is read: whether the account has a fact from one instant on until another. Undefined:
   * it is always read.
   */
  readonly onlyIf?: {
    readonly hasFacts: boolean;
    readonly startMs: number;
    readonly endMs: number;
  };
}

export interface ReadPlan extends Plan {
  readonly segments: readonly ReadSegment[];
}

/**
 * Plans how a question is read. A range that ends within a day is usually one that ends now: if the account has no fact
 * of later that day, the sums of the day answer as well as its hours, which are many times as many rows.
 */
export function readPlanOf(question: Question, kept: Kept): ReadPlan {
  const { segments, warnings } = planOf(question, kept);
  return { segments: withWholeDay(segments, question.endMs, kept), warnings };
}

function withWholeDay(
  segments: readonly Segment[],
  endMs: number,
  { factsMs }: Kept,
): readonly ReadSegment[] {
  const startMs = floorTo(endMs, dayMs);
  const pastMs = startMs + dayMs;
  const days = segments.find((one) => one.rollup?.bucket === 'day' && one.endMs === startMs);
  // The facts of the oldest day may be dropped in this moment.
  if (!days || endMs === startMs || startMs <= factsMs) return segments;
  const rest = { startMs: endMs, endMs: pastMs };
  return [
    ...segments.map((one) =>
      one.startMs < startMs ? one : { ...one, onlyIf: { hasFacts: true, ...rest } },
    ),
    { ...days, startMs, endMs: pastMs, onlyIf: { hasFacts: false, ...rest } },
  ];
}
