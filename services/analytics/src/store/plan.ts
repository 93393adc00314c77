import {
  type DimensionName,
  metricOf,
  type Question,
  yearDimensions,
} from '@sluice/analytics-model';
import { invalidRequest, rejectionToFault } from '@sluice/errors';
import type { Retention } from './analytics-store.ts';
import { ceilTo, dayMs, floorTo, hourMs } from './instants.ts';
import { type Rollup, rollups } from './tables.ts';

/** A part of the time range, and the table that answers it. Undefined: the facts themselves. */
export interface Segment {
  readonly rollup: Rollup | undefined;
  readonly startMs: number;
  readonly endMs: number;
}

/** The first instants of what is kept. */
export interface Kept {
  readonly factsMs: number;
  readonly hoursMs: number;
  readonly daysMs: number;
}

/** Returns the first instants of what is kept at a time. */
export function keptAt(now: Date, { factDays, hourDays, dayDays }: Retention): Kept {
  const todayMs = floorTo(now.getTime(), dayMs);
  return {
    factsMs: todayMs - factDays * dayMs,
    hoursMs: todayMs - hourDays * dayMs,
    daysMs: todayMs - dayDays * dayMs,
  };
}

export interface Plan {
  readonly segments: readonly Segment[];
  readonly warnings: readonly string[];
}

/** Throws invalid_request unless all facts of the range are kept: no sum says what was known before. */
function requireKept({ startMs, asOfMs }: Question, { factsMs }: Kept): void {
  if (asOfMs === undefined || startMs >= factsMs) return;
  const path = asOfMs < factsMs ? 'as_of' : 'time_range.start';
  const first = new Date(factsMs).toISOString();
  const message = `must not be before ${first}: older usage is kept in sums, which do not say when it was known`;
  throw rejectionToFault(invalidRequest([{ path, message }]));
}

/**
 * Splits the time range into parts: whole days, whole hours, and facts at its ends. A range whose ends are older than
 * facts are kept is widened to whole hours, or days, and says so. A question as of an instant is answered from facts.
 * Throws invalid_request where such a question needs facts that are kept no more.
 */
export function planOf(question: Question, kept: Kept): Plan {
  requireKept(question, kept);
  const names = [...question.dimensions, ...question.filters.map(({ field }) => field)];
  const finest = finestOf(question, names);
  const [startMs, endMs] = [
    reachable(question.startMs, floorTo, finest, kept),
    reachable(question.endMs, ceilTo, finest, kept),
  ];
  const firstMs = finest === 'day' ? kept.daysMs : finest === 'hour' ? kept.hoursMs : kept.factsMs;
  const warnings: string[] = [];
  if (startMs !== question.startMs || endMs !== question.endMs)
    warnings.push(
      `time_range is widened to ${new Date(startMs).toISOString()} until ${new Date(endMs).toISOString()}: ` +
        'older usage is kept in whole hours or days',
    );
  if (startMs < firstMs)
    warnings.push(`usage before ${new Date(firstMs).toISOString()} is not kept in this detail`);
  const from = Math.max(startMs, firstMs);
  const segments = from >= endMs ? [] : split({ startMs: from, endMs }, finest, names);
  return { segments, warnings };
}

type Finest = 'day' | 'hour' | 'fact';

/** Returns the coarsest buckets that the question can be answered from. */
function finestOf(
  { metrics, granularity, asOfMs }: Question,
  names: readonly DimensionName[],
): Finest {
  if (asOfMs !== undefined || granularity === 'minute' || names.includes('generation_id'))
    return 'fact';
  const hasQuantile = metrics.some((name) => metricOf(name).value.kind === 'quantile');
  const ofYear = names.every((name) => yearDimensions.includes(name));
  return granularity === 'hour' || hasQuantile || !ofYear ? 'hour' : 'day';
}

function reachable(
  ms: number,
  round: (ms: number, bucketMs: number) => number,
  finest: Finest,
  kept: Kept,
): number {
  if (finest === 'fact' || ms >= kept.factsMs) return ms;
  return finest === 'day' && ms < kept.hoursMs ? round(ms, dayMs) : round(ms, hourMs);
}

type Range = Pick<Segment, 'startMs' | 'endMs'>;

function split(range: Range, finest: Finest, names: readonly DimensionName[]): readonly Segment[] {
  if (finest === 'fact') return [{ rollup: undefined, ...range }];
  const bucketMs = finest === 'day' ? dayMs : hourMs;
  const finer = finest === 'day' ? 'hour' : 'fact';
  const firstMs = ceilTo(range.startMs, bucketMs);
  const pastMs = floorTo(range.endMs, bucketMs);
  if (firstMs >= pastMs) return split(range, finer, names);
  const edges = [
    { startMs: range.startMs, endMs: firstMs },
    { startMs: pastMs, endMs: range.endMs },
  ].filter(({ startMs, endMs }) => startMs < endMs);
  return [
    { rollup: rollupOf(finest, names), startMs: firstMs, endMs: pastMs },
    ...edges.flatMap((edge) => split(edge, finer, names)),
  ];
}

function rollupOf(bucket: Rollup['bucket'], names: readonly DimensionName[]): Rollup {
  const rollup = rollups.find(
    (one) => one.bucket === bucket && names.every((name) => one.dimensions.includes(name)),
  );
  if (!rollup) throw new Error(`invariant: no table of ${bucket}s has ${names.join(', ')}`);
  return rollup;
}
