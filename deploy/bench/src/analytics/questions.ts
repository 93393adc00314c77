import type { AskedQuestion, DimensionName } from '@sluice/analytics-model';
import { dimensionNames } from '@sluice/analytics-model';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const range = (endMs: number, lengthMs: number) => ({
  start: new Date(endMs - lengthMs).toISOString(),
  end: new Date(endMs).toISOString(),
});
const metrics = ['total_usage', 'request_count', 'tokens_total'];

/** Totals of a year by day and model. */
export const ofYear = (nowMs: number): AskedQuestion => ({
  metrics,
  dimensions: ['model'],
  granularity: 'day',
  time_range: range(nowMs, 365 * dayMs),
  limit: 10_000,
});

/** Single minutes of the last three hours. */
export const ofMinutes = (nowMs: number): AskedQuestion => ({
  metrics,
  dimensions: ['model'],
  granularity: 'minute',
  time_range: range(nowMs, 3 * hourMs),
  limit: 10_000,
});

/** Every pair of dimensions over 31 days that end within an hour. */
export function ofMonth(nowMs: number): readonly AskedQuestion[] {
  const all = dimensionNames.filter((name) => name !== 'generation_id');
  return all.flatMap((one, index) =>
    all.slice(index + 1).map((other: DimensionName) => ({
      metrics,
      dimensions: [one, other],
      time_range: range(nowMs, 31 * dayMs),
      order_by: { field: 'total_usage', direction: 'desc' },
    })),
  );
}
