import { measureNames, sketchNames } from '@sluice/analytics-model';
import type { Queryable } from '@sluice/read-model';
import { negated, plus } from '../../domain/amounts.ts';
import type { Increment } from '../../domain/increment.ts';
import { dayMs, floorTo, hourMs } from './instants.ts';
import type { Kept } from './plan.ts';
import { givenSums, rowIdOf, type Sum } from './row-columns.ts';
import { GrowingSketches, sketchColumns } from './stored-sketch.ts';
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
  const { table, hasSketches } = rollup;
  const added = [
    ...measureNames.map(
      (name) => `${name} = coalesce(row.${name} + excluded.${name}, row.${name}, excluded.${name})`,
    ),
    ...(hasSketches ? sketchNames : []).map((name) => {
      const column = sketchColumns[name];
      return `${column} = CASE WHEN excluded.${column} IS NULL THEN row.${column}
        ELSE merged_sketch(row.${column}, excluded.${column}) END`;
    }),
  ];
  const text = `INSERT INTO ${table} AS row (${given.columns}) ${given.select}
    ON CONFLICT (account_id, at, row_id) DO UPDATE SET ${added.join(', ')}`;
  return async (transaction: Queryable, increments: readonly Increment[], bucketMs: number) => {
    const values = given.valuesOf(sumsOf(rollup, increments, bucketMs));
    await transaction.query({ name: `add-to-${table}`, text, values });
  };
}

/** Sums increments per row of the table. */
function sumsOf(
  { dimensions: names }: Rollup,
  increments: readonly Increment[],
  bucketMs: number,
): readonly Sum[] {
  const sums = new Map<string, Sum & { readonly sketches: GrowingSketches }>();
  for (const increment of increments) {
    const { row, sign } = increment;
    const { accountId, dimensions } = row;
    const atMs = floorTo(row.atMs, bucketMs);
    const rowId = rowIdOf(names, dimensions);
    const key = `${accountId}/${atMs}/${rowId}`;
    const amounts = sign === 1n ? row.amounts : negated(row.amounts);
    const before = sums.get(key);
    const sketches = before?.sketches ?? new GrowingSketches();
    sketches.add(increment);
    const sum = before ? plus(before.amounts, amounts) : amounts;
    sums.set(key, { accountId, atMs, rowId, dimensions, amounts: sum, sketches });
  }
  return ordered(sums);
}

/** In one order: two transactions never wait for each other in a circle. */
function ordered<Row>(rows: ReadonlyMap<string, Row>): readonly Row[] {
  return [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
