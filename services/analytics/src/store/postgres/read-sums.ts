import { type Measure, measureNames } from '@sluice/analytics-model';
import type { AccountQueryable, Queryable } from '@sluice/read-model';
import { type Compared, comparedMeasures, type TableSums } from '../../domain/compare-sums.ts';
import type { PartOfDay } from '../analytics-store.ts';
import { dayMs, dayOf, floorTo } from '../instants.ts';
import type { Kept } from '../plan.ts';
import { rollups } from '../tables.ts';
import { measuresOf } from './row-columns.ts';

/** Selects the sums of a table. A measure that it has no column for is NULL. */
const sumsOf = (known: readonly Measure[]) =>
  [
    ...measureNames.map((name) =>
      known.includes(name)
        ? `coalesce(sum(${name}), 0)::bigint AS ${name}`
        : `NULL::bigint AS ${name}`,
    ),
    '(coalesce(sum(service_nano_usd), 0) + coalesce(sum(fee_nano_usd), 0))::bigint AS credits_nano_usd',
  ].join(', ');
const within = 'account = (SELECT id FROM accounts WHERE account_id = $1) AND at >= $2 AND at < $3';

/** One statement, so that a batch is in all tables or in none. */
const text = [
  `SELECT 'facts' AS "table", date_trunc('hour', at, 'UTC') AS bucket, ${sumsOf(measureNames)} FROM facts
    WHERE ${within} AND day = $4::date GROUP BY 2`,
  ...rollups.map(
    (rollup) =>
      `SELECT '${rollup.table}', at, ${sumsOf(measuresOf(rollup))} FROM ${rollup.table} WHERE ${within} GROUP BY at`,
  ),
].join(' UNION ALL ');

type Stored = Readonly<Record<string, bigint | null>> & {
  readonly table: string;
  readonly bucket: Date;
};

/** Reads the sums of each table that keeps the whole part of the day. `keptAfter` is asked once they are read. */
export async function readSums(
  account: AccountQueryable,
  { startMs, endMs }: PartOfDay,
  keptAfter: () => Promise<Kept>,
): Promise<readonly TableSums[]> {
  const range = [new Date(startMs).toISOString(), new Date(endMs).toISOString()];
  const rows = await account.query<Stored>({
    name: 'read-compared-sums',
    text,
    values: [account.accountId, ...range, dayOf(startMs)],
  });
  const kept = await keptAfter();
  const isWholeDay = floorTo(startMs, dayMs) === startMs && endMs - startMs === dayMs;
  const tables = [
    { table: 'facts', bucket: 'hour', isKept: startMs >= kept.factsMs },
    { table: 'usage_hour', bucket: 'hour', isKept: startMs >= kept.hoursMs },
    { table: 'usage_day', bucket: 'day', isKept: isWholeDay && startMs >= kept.daysMs },
    { table: 'usage_day_model', bucket: 'day', isKept: isWholeDay && startMs >= kept.daysMs },
  ] as const;
  return tables
    .filter(({ isKept }) => isKept)
    .map(({ table, bucket }) => {
      const ofTable = rows.filter((row) => row.table === table);
      return {
        table,
        bucket,
        sums: new Map(ofTable.map((row) => [row.bucket.getTime(), comparedOf(row)])),
      };
    });
}

function comparedOf(row: Stored): Compared {
  return Object.fromEntries(
    comparedMeasures.flatMap((name) => {
      const amount = row[name] ?? null;
      return amount === null ? [] : [[name, amount]];
    }),
  );
}

const first = (table: string) =>
  `(SELECT account_id FROM ${table} WHERE account_id > $1 ORDER BY account_id LIMIT 1)`;

/** Returns the next account of which anything is known, also one that has a key and no usage. */
export async function accountBehind(
  connection: Queryable,
  accountId: string,
): Promise<string | undefined> {
  const tables = ['names', 'accounts'];
  const [row] = await connection.query<{ accountId: string | null }>({
    name: 'account-behind',
    text: `SELECT min(account_id) AS "accountId" FROM (${tables.map(first).join(' UNION ALL ')}) AS firsts`,
    values: [accountId],
  });
  return row?.accountId ?? undefined;
}
