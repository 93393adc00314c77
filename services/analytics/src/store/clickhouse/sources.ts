import type { DimensionName, Filter } from '@sluice/analytics-model';
import { floorTo, hourMs } from '../instants.ts';
import type { Segment } from '../plan.ts';
import { dimensionColumns } from '../tables.ts';
import { factColumns } from './columns.ts';
import type { Parameters } from './parameters.ts';

/** The start of each bucket in seconds since 1970. Weeks start on Monday. */
export const bucketStarts = {
  minute: 'toStartOfMinute(at)',
  hour: `toStartOfHour(at)`,
  day: `toStartOfDay(at, 'UTC')`,
  week: `toDateTime(toMonday(at, 'UTC'), 'UTC')`,
  month: `toDateTime(toStartOfMonth(at, 'UTC'), 'UTC')`,
} as const;

const contextOrder = `['1K', '10K', '100K', '1M', '10M', '100M']`;

interface SourceParts {
  /** The parameter of the account, which every table is asked for. */
  readonly account: string;
  readonly segments: readonly Segment[];
  readonly filters: readonly Filter[];
  readonly selected: readonly string[];
  readonly parameters: Parameters;
  /** Facts as they were known then. Undefined: as they are. */
  readonly asOfMs?: number | undefined;
}

/** Returns a SELECT for each table that has a part of the time range. */
export function sourcesOf(parts: SourceParts): readonly string[] {
  const { account, segments, filters, selected, parameters, asOfMs } = parts;
  const wheres = filters.map((filter) => condition(filter, parameters));
  return rangesOf(segments).map(({ table, time, startMs, endMs, isExact }) => {
    const within = [
      `account_id = ${account}`,
      `${time} >= ${parameters.instant(floorTo(startMs, isExact ? hourMs : 1))}`,
      `${time} < ${parameters.instant(endMs)}`,
      ...(isExact
        ? [`at >= ${parameters.instant(startMs)}`, `at < ${parameters.instant(endMs)}`]
        : []),
    ].join(' AND ');
    const from =
      asOfMs === undefined
        ? `${table} FINAL WHERE ${within}`
        : `${knownThen(within, parameters.instant(asOfMs))} AS known WHERE true`;
    return `SELECT ${selected.join(', ')} FROM ${from} ${wheres.map((one) => `AND ${one}`).join(' ')}`;
  });
}

/**
 * Returns the expression of a table with the newest revision of each fact that was counted by an instant. A fact whose
 * stored revision is younger may have an older one. All of them are in the same hour.
 */
function knownThen(within: string, instant: string): string {
  const then = `${within} AND counted_at <= ${instant}`;
  const columns = factColumns.join(', ');
  return `(
    SELECT ${columns} FROM facts FINAL WHERE ${then}
    UNION ALL
    SELECT ${columns} FROM (
      SELECT ${columns} FROM superseded FINAL
      WHERE ${then} AND fact_id GLOBAL NOT IN (
        SELECT fact_id FROM facts FINAL
        WHERE ${then} AND fact_id GLOBAL IN (SELECT fact_id FROM superseded WHERE ${then}))
      ORDER BY revision DESC LIMIT 1 BY fact_id))`;
}

interface Range {
  readonly table: string;
  readonly time: 'hour' | 'at';
  readonly startMs: number;
  readonly endMs: number;
  /** The range may begin or end within an hour. */
  readonly isExact: boolean;
}

/** Returns the tables that are read. Beside sums there are late changes, of days whose facts are gone. */
function rangesOf(segments: readonly Segment[]): readonly Range[] {
  return segments.flatMap(({ rollup, ...range }): readonly Range[] =>
    rollup === undefined
      ? [{ table: 'facts', time: 'hour', ...range, isExact: true }]
      : [
          { table: rollup.table, time: 'at', ...range, isExact: false },
          { table: 'late_changes', time: 'hour', ...range, isExact: false },
        ],
  );
}

/** Writes the condition of a filter. */
function condition(filter: Filter, parameters: Parameters): string {
  const { field, operator, values, includeUnset } = filter;
  const column = dimensionColumns[field];
  if (operator === 'in' || operator === 'not_in') {
    const isIn = parameters.isIn(column, values);
    if (operator === 'in') return includeUnset ? `(${isIn} OR ${column} = '')` : isIn;
    return includeUnset ? `NOT ${isIn}` : `(NOT ${isIn} AND ${column} <> '')`;
  }
  const value = parameters.add(values[0] ?? '', 'String');
  if (operator === 'eq') return `${column} = ${value}`;
  if (operator === 'neq') return `${column} <> ${value}`;
  const sign = { gt: '>', gte: '>=', lt: '<', lte: '<=' }[operator];
  return `(${comparable(field, column)} ${sign} ${comparable(field, value)} AND ${column} <> '')`;
}

/** Orders buckets of lengths by their size. ClickHouse compares all other texts by their bytes. */
export function comparable(field: DimensionName, expression: string): string {
  return field === 'context_length_bucket' ? `indexOf(${contextOrder}, ${expression})` : expression;
}
