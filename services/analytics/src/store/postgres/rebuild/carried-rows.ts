import {
  type DimensionName,
  dimensionNames,
  type Measure,
  measureNames,
  measures,
  sketchNames,
} from '@sluice/analytics-model';
import type { Queryable } from '@sluice/read-model';
import { amounts } from '../../../domain/amounts.ts';
import { dimensionsOf, noBins, type UsageRow } from '../../../domain/usage-row.ts';
import { dayMs } from '../../instants.ts';
import type { Kept } from '../../plan.ts';
import { countedAt } from '../row-columns.ts';
import { sketchColumns } from '../stored-sketch.ts';
import { dimensionValue, joinsOf, rollups } from '../../tables.ts';

const pageMax = 2_000;

/** Ids of facts that the ledger does not have: failed and refused requests, and those that guardrails blocked. */
const ownPrefixes = ['failed', 'refused', 'detected'];
const isOwn = ownPrefixes
  .map((prefix) => `(fact_id >= '${prefix}/' AND fact_id < '${prefix}0')`)
  .join(' OR ');

const selectedDimensions = (names: readonly DimensionName[]) =>
  names.map((name) => `${dimensionValue(name)} AS "d_${name}"`);

type Stored = Readonly<Record<string, string | number | bigint | null>> & {
  readonly accountId: string;
  readonly factId: string;
  readonly revision: number;
  readonly at: Date;
};

/** Reads some facts that the ledger does not have and the other schema does not have yet. */
export async function readOwnFacts(
  live: Queryable,
  other: string,
  kept: Kept,
): Promise<readonly UsageRow[]> {
  const rows = await live.query<Stored & { readonly countedAt: Date }>({
    text: `SELECT accounts.account_id AS "accountId", fact_id AS "factId", revision, at, ${countedAt} AS "countedAt",
        ${selectedDimensions(dimensionNames).join(', ')},
        ${measureNames.map((name) => `${name} AS "m_${name}"`).join(', ')},
        ${sketchNames.map((name) => `${sketchColumns[name].bin} AS "b_${name}"`).join(', ')}
      FROM facts AS one JOIN accounts ON accounts.id = one.account ${joinsOf('one', dimensionNames)}
      WHERE day >= $1::timestamptz::date AND (${isOwn}) AND NOT EXISTS (
        SELECT FROM "${other}".facts AS known WHERE known.day = one.day AND known.fact_id = one.fact_id
          AND known.revision >= one.revision)
      LIMIT ${pageMax}`,
    values: [new Date(kept.factsMs)],
  });
  return rows.map((row) => ({
    accountId: row.accountId,
    factId: row.factId,
    revision: row.revision,
    atMs: row.at.getTime(),
    countedAtMs: row.countedAt.getTime(),
    dimensions: dimensionsOfStored(row, dimensionNames),
    amounts: Object.fromEntries(
      measureNames.map((name) => [name, amountOf(name, row[`m_${name}`] ?? null)]),
    ) as UsageRow['amounts'],
    bins: Object.fromEntries(
      sketchNames.flatMap((name) => (row[`b_${name}`] == null ? [] : [[name, row[`b_${name}`]]])),
    ),
  }));
}

function amountOf(name: Measure, value: string | number | bigint | null): bigint | null {
  if (value !== null) return BigInt(value);
  return measures[name].optional ? null : 0n;
}

function dimensionsOfStored(row: Stored, names: readonly DimensionName[]) {
  const texts = names.map((name) => [name, String(row[`d_${name}`] ?? '')]);
  return dimensionsOf(Object.fromEntries(texts) as Record<DimensionName, string>);
}

const isOwnSum = '(failed_requests <> 0 OR refused_requests <> 0 OR blocked_requests <> 0)';

/** Returns the days whose facts are kept no more and that have such sums, the first one first. */
export async function daysOfOwnSums(live: Queryable, kept: Kept): Promise<readonly number[]> {
  const rows = await live.query<{ day: Date }>({
    text: `SELECT DISTINCT date_trunc('day', at, 'UTC') AS day FROM usage_day_model
      WHERE at < $1::timestamptz AND at >= $2::timestamptz AND ${isOwnSum} ORDER BY 1`,
    values: [new Date(kept.factsMs), new Date(Math.min(kept.daysMs, kept.hoursMs))],
  });
  return rows.map(({ day }) => day.getTime());
}

/**
 * Reads the sums of a day whose facts are kept no more, of amounts that the ledger does not have. How many facts they
 * were is not known: each request counts as one.
 */
export async function readOwnSums(
  live: Queryable,
  dayStartMs: number,
  kept: Kept,
): Promise<readonly UsageRow[]> {
  const table = dayStartMs >= kept.hoursMs ? 'usage_hour' : 'usage_day';
  const names = rollups.find((one) => one.table === table)?.dimensions ?? [];
  const rows = await live.query<Stored>({
    text: `SELECT accounts.account_id AS "accountId", '' AS "factId", 0 AS revision, at,
        ${selectedDimensions(names).join(', ')},
        coalesce(failed_requests, 0) AS failed, coalesce(refused_requests, 0) AS refused,
        coalesce(blocked_requests, 0)::bigint AS blocked
      FROM ${table} AS one JOIN accounts ON accounts.id = one.account ${joinsOf('one', names)}
      WHERE at >= $1::timestamptz AND at < $2::timestamptz
        AND ${isOwnSum}`,
    values: [new Date(dayStartMs), new Date(dayStartMs + dayMs)],
  });
  return rows.map((row) => {
    const [failed, refused, blocked] = [row['failed'], row['refused'], row['blocked']].map(
      (value) => BigInt(value ?? 0),
    ) as [bigint, bigint, bigint];
    return {
      accountId: row.accountId,
      factId: row.factId,
      revision: row.revision,
      atMs: row.at.getTime(),
      countedAtMs: row.at.getTime(),
      dimensions: dimensionsOfStored(row, names),
      amounts: amounts({
        facts: failed + refused + blocked,
        failed_requests: failed,
        refused_requests: refused,
        blocked_requests: blocked,
        guardrail_requests: blocked,
      }),
      bins: noBins,
    };
  });
}
