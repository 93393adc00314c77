import { measureNames, measures, sketchNames } from '@sluice/analytics-model';
import type { Queryable } from '@sluice/read-model';
import { negated, plus } from '../../domain/amounts.ts';
import type { Increment } from '../../domain/increment.ts';
import { dayMs, floorTo, hourMs } from './instants.ts';
import type { Kept } from './plan.ts';
import { givenRows, givenSums, rowIdOf, type Sum } from './row-columns.ts';
import { type Rollup, rollups } from './tables.ts';

/** Adds to every table of sums. Buckets that are kept no more are left out. */
export async function addToSums(
  transaction: Queryable,
  increments: readonly Increment[],
  kept: Kept,
): Promise<void> {
  if (increments.length === 0) return;
  await Promise.all(
    writers.map(async ({ rollup, write }) => {
      const firstMs = rollup.bucket === 'hour' ? kept.hoursMs : kept.daysMs;
      const bucketMs = rollup.bucket === 'hour' ? hourMs : dayMs;
      const within = increments.filter(({ row }) => floorTo(row.atMs, bucketMs) >= firstMs);
      if (within.length > 0) await write(transaction, within, bucketMs);
    }),
  );
}

const writers = rollups.map((rollup) => ({ rollup, write: writerOf(rollup) }));

function writerOf(rollup: Rollup) {
  const given = givenSums(rollup);
  const added = measureNames.map((name) =>
    measures[name].optional
      ? `${name} = CASE WHEN excluded.${name} IS NULL THEN row.${name}
           ELSE coalesce(row.${name}, 0) + excluded.${name} END`
      : `${name} = row.${name} + excluded.${name}`,
  );
  const text = `INSERT INTO ${rollup.table} AS row (${given.columns}) SELECT * FROM ${given.from}
    ON CONFLICT (account_id, at, row_id) DO UPDATE SET ${added.join(', ')}`;
  return async (transaction: Queryable, increments: readonly Increment[], bucketMs: number) => {
    const sums = new Map<string, Sum>();
    const bins = new Map<string, BinSum>();
    for (const { row, sign } of increments) {
      const { accountId, dimensions } = row;
      const atMs = floorTo(row.atMs, bucketMs);
      const rowId = rowIdOf(rollup.dimensions, dimensions);
      const key = `${accountId}/${atMs}/${rowId}`;
      const amounts = sign === 1n ? row.amounts : negated(row.amounts);
      const sum = sums.get(key);
      sums.set(key, {
        accountId,
        atMs,
        rowId,
        dimensions,
        amounts: sum ? plus(sum.amounts, amounts) : amounts,
      });
      if (rollup.bins !== undefined) addBins(bins, { accountId, atMs, rowId }, { row, sign });
    }
    const name = `add-to-${rollup.table}`;
    await transaction.query({ name, text, values: given.valuesOf(ordered(sums)) });
    if (bins.size > 0 && rollup.bins !== undefined)
      await addToBins(transaction, rollup.bins, ordered(bins));
  };
}

interface BinSum extends Pick<Sum, 'accountId' | 'atMs' | 'rowId'> {
  readonly sketch: string;
  readonly bin: number;
  readonly count: bigint;
}

function addBins(
  bins: Map<string, BinSum>,
  place: Pick<Sum, 'accountId' | 'atMs' | 'rowId'>,
  { row, sign }: Increment,
): void {
  for (const sketch of sketchNames) {
    const bin = row.bins[sketch];
    if (bin === undefined) continue;
    const key = `${place.accountId}/${place.atMs}/${place.rowId}/${sketch}/${bin}`;
    bins.set(key, { ...place, sketch, bin, count: (bins.get(key)?.count ?? 0n) + sign });
  }
}

const givenBins = givenRows<BinSum>([
  { name: 'account_id', type: 'text', of: ({ accountId }) => accountId },
  { name: 'at', type: 'timestamptz', of: ({ atMs }) => new Date(atMs).toISOString() },
  { name: 'row_id', type: 'uuid', of: ({ rowId }) => rowId },
  { name: 'sketch', type: 'text', of: ({ sketch }) => sketch },
  { name: 'bin', type: 'smallint', of: ({ bin }) => bin },
  { name: 'count', type: 'bigint', of: ({ count }) => count },
]);

async function addToBins(transaction: Queryable, table: string, sums: readonly BinSum[]) {
  await transaction.query({
    name: `add-to-${table}`,
    text: `INSERT INTO ${table} AS row (${givenBins.columns}) SELECT * FROM ${givenBins.from}
      ON CONFLICT (account_id, at, row_id, sketch, bin) DO UPDATE SET count = row.count + excluded.count`,
    values: givenBins.valuesOf(sums),
  });
}

/** In one order: two transactions never wait for each other in a circle. */
function ordered<Row>(rows: ReadonlyMap<string, Row>): readonly Row[] {
  return [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
