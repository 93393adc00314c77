import { measureNames, sketchNames } from '@sluice/analytics-model';
import type { Queryable } from '@sluice/read-model';
import type { Increment } from '../../domain/increment.ts';
import { dayMs, floorTo, hourMs } from '../instants.ts';
import type { Kept } from '../plan.ts';
import { type CountedRow, givenSums, measuresOf, type Sum } from './row-columns.ts';
import { GrowingSketches, sketchColumns } from './stored-sketch.ts';
import { dictionaries, type Ref, type Rollup, rollups } from '../tables.ts';

const allRefs: readonly Ref[] = dictionaries.map(({ ref }) => ref);

export type NumberedIncrement = Increment<CountedRow>;

/** Adds to every table of sums. Buckets that are kept no more are left out. */
export async function addToSums(
  transaction: Queryable,
  increments: readonly NumberedIncrement[],
  kept: Kept,
): Promise<void> {
  if (increments.length === 0) return;
  // Most facts of a batch share a row of the finest table: coarser ones are sums of its rows.
  const finest = sumOfEach(increments);
  await Promise.all(
    writers.map(async ({ rollup, write }) => {
      const firstMs = rollup.bucket === 'hour' ? kept.hoursMs : kept.daysMs;
      const bucketMs = rollup.bucket === 'hour' ? hourMs : dayMs;
      const within = finest.filter(({ atMs }) => floorTo(atMs, bucketMs) >= firstMs);
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
  return async (transaction: Queryable, finest: readonly GrowingSum[], bucketMs: number) => {
    const values = given.valuesOf(ordered(rollup, rolledUp(rollup, finest, bucketMs)));
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
  readonly atMs: number;
  readonly totals: (bigint | null)[];
  readonly sketches: GrowingSketches;
}

/** Sums increments per hour and combination of all dimensions, as the finest table has them. */
function sumOfEach(increments: readonly NumberedIncrement[]): readonly GrowingSum[] {
  const sums = new Map<string, GrowingSum>();
  for (const increment of weightedOf(increments)) {
    const { row, weight } = increment;
    const atMs = floorTo(row.atMs, hourMs);
    const sum = sumFor(sums, row, { atMs, refs: allRefs });
    measureNames.forEach((name, index) => {
      const amount = row.amounts[name];
      if (amount !== null) addAmount(sum, index, amount === 0n ? 0n : weight * amount);
    });
    sum.sketches.add(increment);
  }
  return [...sums.values()];
}

/** Sums rows of the finest table per row of another one. Only the finest has sketches. */
function rolledUp(
  { refs, hasSketches }: Rollup,
  finest: readonly GrowingSum[],
  bucketMs: number,
): readonly GrowingSum[] {
  if (hasSketches) return finest;
  const sums = new Map<string, GrowingSum>();
  for (const part of finest) {
    const sum = sumFor(sums, part, { atMs: floorTo(part.atMs, bucketMs), refs });
    part.totals.forEach((total, index) => {
      if (total !== null) addAmount(sum, index, total);
    });
  }
  return [...sums.values()];
}

interface RowOf {
  readonly atMs: number;
  readonly refs: readonly Ref[];
}

function sumFor(
  sums: Map<string, GrowingSum>,
  { account, refs }: Pick<Sum, 'account' | 'refs'>,
  { atMs, refs: names }: RowOf,
): GrowingSum {
  const key = keyOf({ account, atMs, refs }, names);
  let sum = sums.get(key);
  if (!sum) {
    const at = new Date(atMs).toISOString();
    const totals = measureNames.map(() => null);
    sum = { account, atMs, at, refs, totals, sketches: new GrowingSketches() };
    sums.set(key, sum);
  }
  return sum;
}

function keyOf(
  { account, atMs, refs }: Pick<GrowingSum, 'account' | 'atMs' | 'refs'>,
  names: readonly Ref[],
): string {
  return `${account}/${atMs}/${names.map((name) => refs[name]).join('/')}`;
}

function addAmount({ totals }: GrowingSum, index: number, amount: bigint): void {
  const before = totals[index] ?? null;
  if (before === null) totals[index] = amount;
  else if (amount !== 0n) totals[index] = before + amount;
}

/** In one order: two transactions never wait for each other in a circle. */
function ordered({ refs }: Rollup, sums: readonly GrowingSum[]): readonly GrowingSum[] {
  return sums
    .map((sum) => [keyOf(sum, refs), sum] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, sum]) => sum);
}
