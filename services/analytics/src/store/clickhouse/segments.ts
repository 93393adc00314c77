import { dayMs, floorTo } from '../instants.ts';
import type { Segment } from '../plan.ts';
import { rollups } from '../tables.ts';
import type { Progress } from './progress.ts';

const hourly = rollups.find(({ bucket }) => bucket === 'hour');

/**
 * Reads facts for the hours from `sealedMs` on, which are not in the tables of sums yet, and sums of hours for days
 * that are there in part.
 */
export function sealedSegments(
  segments: readonly Segment[],
  { sealedMs }: Pick<Progress, 'sealedMs'>,
): readonly Segment[] {
  return segments.flatMap((segment) => {
    const { rollup, startMs, endMs } = segment;
    if (rollup === undefined) return [segment];
    const wholeMs = rollup.bucket === 'day' ? floorTo(sealedMs, dayMs) : sealedMs;
    return [
      { rollup, startMs, endMs: Math.min(endMs, wholeMs) },
      { rollup: hourly, startMs: Math.max(startMs, wholeMs), endMs: Math.min(endMs, sealedMs) },
      { rollup: undefined, startMs: Math.max(startMs, sealedMs), endMs },
    ].filter((one) => one.startMs < one.endMs);
  });
}
