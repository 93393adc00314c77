import { measureNames } from '@sluice/analytics-model';
import { type Compared, comparedMeasures, type TableSums } from '../../domain/compare-sums.ts';
import { dayMs, floorTo } from '../instants.ts';
import type { PartOfDay } from '../analytics-store.ts';
import { rollups } from '../tables.ts';
import type { ClickHouse } from './engine.ts';
import type { Progress } from './progress.ts';

const sums = [
  ...measureNames.map((name) => `ifNull(sum(source.${name}), 0) AS ${name}`),
  'sum(source.service_nano_usd) + sum(source.fee_nano_usd) AS credits_nano_usd',
].join(', ');
const within = (time: string) =>
  `account_id = {account:String} AND ${time} >= toDateTime({start:UInt32}, 'UTC')
   AND ${time} < toDateTime({end:UInt32}, 'UTC')`;

/** Selects the sums of a table. What came late is in each table of sums, and in no fact. */
function selectOf(table: string, isHourly: boolean): string {
  const columns = ['at', ...measureNames].join(', ');
  const [time, late] =
    table === 'facts'
      ? ['hour', '']
      : ['at', `UNION ALL SELECT ${columns} FROM late_changes FINAL WHERE ${within('hour')}`];
  const bucket = isHourly ? 'toStartOfHour(source.at)' : `toStartOfDay(source.at, 'UTC')`;
  return `SELECT '${table}' AS table_name, toUnixTimestamp(${bucket}) AS bucket, ${sums}
    FROM (SELECT ${columns} FROM ${table} FINAL WHERE ${within(time)} ${late}) AS source GROUP BY bucket`;
}

const tables = [
  { table: 'facts', bucket: 'hour' },
  ...rollups.map(({ table, bucket }) => ({ table, bucket })),
] as const;

const text = tables
  .map(({ table, bucket }) => selectOf(table, bucket === 'hour'))
  .join(' UNION ALL ');

type Stored = Readonly<Record<string, string>> & {
  readonly table_name: string;
  readonly bucket: number;
};

/** Reads the sums of each table that has the whole part of the day. `progressAfter` is asked once they are read. */
export async function readSums(
  clickHouse: ClickHouse,
  accountId: string,
  { startMs, endMs }: PartOfDay,
  parts: { readonly timeLimitMs: number; readonly progressAfter: () => Promise<Progress> },
): Promise<readonly TableSums[]> {
  const rows = await clickHouse.query<Stored>(
    { text, values: { account: accountId, start: startMs / 1_000, end: endMs / 1_000 } },
    parts.timeLimitMs,
  );
  const { kept, closedMs, sealedMs } = await parts.progressAfter();
  const isWholeDay = floorTo(startMs, dayMs) === startMs && endMs - startMs === dayMs;
  const isSealed = endMs <= sealedMs;
  const isKept = (table: string) => {
    if (table === 'facts') return startMs >= closedMs;
    if (table === 'usage_hour') return isSealed && startMs >= kept.hoursMs;
    return isSealed && isWholeDay && startMs >= kept.daysMs;
  };
  return tables
    .filter(({ table }) => isKept(table))
    .map(({ table, bucket }) => ({
      table: table as TableSums['table'],
      bucket: bucket,
      sums: new Map(
        rows
          .filter((row) => row.table_name === table)
          .map((row) => [row.bucket * 1_000, comparedOf(row)]),
      ),
    }));
}

function comparedOf(row: Stored): Compared {
  return Object.fromEntries(comparedMeasures.map((name) => [name, BigInt(row[name] ?? 0)]));
}

/** Returns the next account of which anything is known, also one that has a key and no usage. */
export async function accountBehind(
  clickHouse: ClickHouse,
  accountId: string,
): Promise<string | undefined> {
  const known = ['names', 'facts', 'late_changes', ...rollups.map(({ table }) => table)];
  const firsts = known.map(
    (table) =>
      `(SELECT account_id FROM ${table} WHERE account_id > {account:String} ORDER BY account_id LIMIT 1)`,
  );
  const rows = await clickHouse.query<{ accountId: string }>({
    text: `SELECT account_id AS accountId FROM (${firsts.join(' UNION ALL ')}) AS firsts
      ORDER BY accountId LIMIT 1`,
    values: { account: accountId },
  });
  return rows[0]?.accountId;
}
