import { measureNames, sketchNames } from '@sluice/analytics-model';
import type { Queryable } from '@sluice/read-model';
import type { Increment } from '../../domain/increment.ts';
import { dayMs, floorTo, hourMs } from '../instants.ts';
import type { Kept } from '../plan.ts';
import { type CountedRow, givenSums, measuresOf, type Sum } from './row-columns.ts';
import { GrowingSketches, sketchColumns } from './stored-sketch.ts';
import { type Rollup, rollups } from '../tables.ts';

export type NumberedIncrement = Increment<CountedRow>;

/** Adds to every table of sums. Buckets that are kept no more are left out. */
export async function addToSums(
  transaction: Queryable,
  increments: readonly NumberedIncrement[],
  kept: Kept,
): Promise<void> {
  if (increments.length === 0) return;
  const weighted = weightedOf(increments);
  await Promise.all(
    writers.map(async ({ rollup, write }) => {
      const firstMs = rollup.bucket === 'hour' ? kept.hoursMs : kept.daysMs;
      const bucketMs = rollup.bucket === 'hour' ? hourMs : dayMs;
      const within = weighted.filter(({ row }) => floorTo(row.atMs, bucketMs) >= firstMs);
      if (within.length > 0) await write(transaction, within, bucketMs);
    }),
  );
}

interface Weighted {
  readonly row: CountedRow;
  /** The row counts so often. Negative: it is taken out. */
  weight: bigint;
}

/** Counts rows that share all that is summed up, as repeated answers do, as one. */
function weightedOf(increments: readonly NumberedIncrement[]): readonly Weighted[] {
  const weighted: Weighted[] = [];
  for (const { row, sign } of increments) {
    const last = weighted.at(-1);
    if (last && shareSums(last.row, row)) last.weight += sign;
    else weighted.push({ row, weight: sign });
  }
  return weighted;
}

function shareSums(one: CountedRow, other: CountedRow): boolean {
  return (
    one.amounts === other.amounts &&
    one.bins === other.bins &&
    one.refs === other.refs &&
    one.account === other.account &&
    floorTo(one.atMs, hourMs) === floorTo(other.atMs, hourMs)
  );
}

const writers = rollups.map((rollup) => ({ rollup, write: writerOf(rollup) }));

function writerOf(rollup: Rollup) {
  const given = givenSums(rollup);
  const { table, hasSketches, refs } = rollup;
  const added = [
    ...measuresOf(rollup).map(
      (name) => `${name} = coalesce(row.${name} + excluded.${name}, row.${name}, excluded.${name})`,
    ),
    ...(hasSketches ? sketchNames : []).flatMap((name) => mergedColumns(sketchColumns[name])),
  ];
  const text = `INSERT INTO ${table} AS row (${given.columns}) ${given.select}
    ON CONFLICT (account, at, ${refs.join(', ')}) DO UPDATE SET ${added.join(', ')}`;
  return async (transaction: Queryable, increments: readonly Weighted[], bucketMs: number) => {
    const values = given.valuesOf(sumsOf(rollup, increments, bucketMs));
    await transaction.query({ name: `add-to-${table}`, text, values });
  };
}

/** A row with one value has its bin, and one with several a list. */
function mergedColumns({ bin, items }: { readonly bin: string; readonly items: string }) {
  const isNothing = (row: string) => `${row}.${items} IS NULL AND ${row}.${bin} IS NULL`;
  const choose = (column: string, merged: string) => `${column} = CASE
      WHEN ${isNothing('excluded')} THEN row.${column}
      WHEN ${isNothing('row')} THEN excluded.${column}
      ELSE ${merged} END`;
  const listOf = (row: string) => `sketch_items(${row}.${items}, ${row}.${bin})`;
  return [
    choose(bin, 'NULL'),
    choose(items, `merged_sketch(${listOf('row')}, ${listOf('excluded')})`),
  ];
}

interface GrowingSum extends Sum {
  readonly totals: (bigint | null)[];
  readonly sketches: GrowingSketches;
}

/** Sums increments per row of the table. */
function sumsOf(
  { refs: ofTable, hasSketches }: Rollup,
  increments: readonly Weighted[],
  bucketMs: number,
): readonly Sum[] {
  const sums = new Map<string, GrowingSum>();
  for (const increment of increments) {
    const { row } = increment;
    const { account, refs } = row;
    const atMs = floorTo(row.atMs, bucketMs);
    const key = `${account}/${atMs}/${ofTable.map((ref) => refs[ref]).join('/')}`;
    let sum = sums.get(key);
    if (!sum) {
      const at = new Date(atMs).toISOString();
      sum = {
        account,
        at,
        refs,
        totals: measureNames.map(() => null),
        sketches: new GrowingSketches(),
      };
      sums.set(key, sum);
    }
    add(sum, increment);
    if (hasSketches) sum.sketches.add(increment);
  }
  return ordered(sums);
}

function add({ totals }: GrowingSum, { row, weight }: Weighted): void {
  measureNames.forEach((name, index) => {
    const amount = row.amounts[name];
    if (amount === null) return;
    const before = totals[index] ?? null;
    if (before === null) totals[index] = weight * amount;
    else if (amount !== 0n) totals[index] = before + weight * amount;
  });
}

/** In one order: two transactions never wait for each other in a circle. */
function ordered<Row>(rows: ReadonlyMap<string, Row>): readonly Row[] {
  return [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
