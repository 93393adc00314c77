import { dimensionNames, measureNames, measures } from '@sluice/analytics-model';
import { dayMs, floorTo, hourMs } from '../instants.ts';
import { dimensionColumns, type Rollup, rollups } from '../tables.ts';
import { sketchColumns } from './columns.ts';
import type { ClickHouseStatement, Parameter } from './engine.ts';
import type { AccountHour } from './marks.ts';

/** The rows that are added up: all accounts in some time, or some hours or days of accounts. */
export type Scope =
  | { readonly startMs: number; readonly endMs: number }
  | { readonly buckets: readonly AccountHour[] };

/** The table that the sums of another one are made of. */
const sources: Readonly<Record<string, string>> = {
  usage_hour: 'facts',
  usage_day: 'usage_hour',
  usage_day_model: 'usage_day',
};

/** The tables of sums by bucket, each behind the one that it is made of. */
export const tablesOf = (bucket: Rollup['bucket']) =>
  rollups.filter((one) => one.bucket === bucket).toReversed();

/**
 * Builds the statement that makes sums anew from the rows that they are made of. It writes all rows of a bucket with
 * the given version, which is higher than those before. A row whose facts are gone becomes zero.
 */
export function sumsStatement(rollup: Rollup, scope: Scope, version: bigint): ClickHouseStatement {
  const { table, dimensions, hasSketches } = rollup;
  const source = sources[table];
  if (source === undefined) throw new Error(`invariant: ${table} is made of another table`);
  const sketches = hasSketches ? sketchColumns : [];
  const columns = dimensionNames
    .filter((name) => dimensions.includes(name))
    .map((name) => dimensionColumns[name]);
  const time = source === 'facts' ? 'hour' : 'at';
  const bucket = rollup.bucket === 'hour' ? time : `toStartOfDay(${time}, 'UTC')`;
  const listed = sketches.flatMap(({ bins, counts }) => [bins, counts]);
  const selected = ['account_id', ...columns];
  const merged = sketches.flatMap(({ bins, counts }) =>
    [1, 2].map((index) => `tupleElement(sumMap(${bins}, ${counts}), ${index})`),
  );
  const zeros = measureNames.map((name) =>
    measures[name].optional ? `CAST(NULL, 'Nullable(Int64)')` : 'toInt64(0)',
  );
  const empty = sketches.flatMap(() => ['emptyArrayInt16()', 'emptyArrayInt64()']);
  const text = `
    INSERT INTO ${table} (${['account_id', 'at', 'version', ...columns, ...measureNames, ...listed].join(', ')})
    SELECT ${['account_id', 'bucket', '{version:UInt64}', ...columns].join(', ')},
      ${[...measureNames.map((name) => `sum(${name})`), ...merged].join(', ')}
    FROM (
      SELECT ${[...selected, `${bucket} AS bucket`, ...measureNames, ...listed].join(', ')}
      FROM ${source} FINAL WHERE ${condition(scope, time, rollup.bucket)}
      UNION ALL
      SELECT ${[...selected, 'at', ...zeros, ...empty].join(', ')}
      FROM ${table} FINAL WHERE ${condition(scope, 'at', 'hour')})
    GROUP BY ${['account_id', 'bucket', ...columns].join(', ')}`;
  return { text, values: { version: version.toString(), ...valuesOf(scope, rollup.bucket) } };
}

/** Seconds since 1970, in UTC. */
const instant = (name: string) => `toDateTime({${name}:UInt32}, 'UTC')`;

/** Writes the condition for rows of the scope. A list of buckets is a set, which the primary key is looked up by. */
function condition(scope: Scope, time: string, bucket: Rollup['bucket']): string {
  const within = `${time} >= ${instant('start')} AND ${time} < ${instant('end')}`;
  if (!('buckets' in scope)) return within;
  const hours = bucket === 'hour' ? '{hours:Array(UInt32)}' : hoursOfDays;
  const accounts = bucket === 'hour' ? '{accounts:Array(String)}' : accountsOfDays;
  return `${within} AND (account_id, ${time}) IN (
    SELECT arrayJoin(arrayZip(${accounts}, arrayMap(second -> toDateTime(second, 'UTC'), ${hours}))))`;
}

/** The hours of each day, and its account as often. */
const hoursOfDays = `arrayFlatten(arrayMap(
  day -> arrayMap(hour -> toUInt32(day + 3600 * hour), range(24)), {hours:Array(UInt32)}))`;
const accountsOfDays = `arrayFlatten(arrayMap(
  account -> arrayWithConstant(24, account), {accounts:Array(String)}))`;

function valuesOf(scope: Scope, bucket: Rollup['bucket']): Readonly<Record<string, Parameter>> {
  if (!('buckets' in scope)) return { start: seconds(scope.startMs), end: seconds(scope.endMs) };
  const starts = scope.buckets.map((one) => one.hourMs);
  const lengthMs = bucket === 'hour' ? hourMs : dayMs;
  return {
    start: seconds(Math.min(...starts)),
    end: seconds(Math.max(...starts) + lengthMs),
    accounts: scope.buckets.map(({ accountId }) => accountId),
    hours: starts.map(seconds),
  };
}

const seconds = (ms: number) => Math.floor(ms / 1_000);

/** Returns the days of hours, each once per account. */
export function daysOf(hours: readonly AccountHour[]): readonly AccountHour[] {
  const days = new Map<string, AccountHour>();
  for (const { accountId, hourMs: ms } of hours) {
    const startMs = floorTo(ms, dayMs);
    days.set(`${accountId}/${startMs}`, { accountId, hourMs: startMs });
  }
  return [...days.values()];
}
