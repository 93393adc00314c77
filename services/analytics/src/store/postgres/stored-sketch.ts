import { type SketchName, sketchNames } from '@sluice/analytics-model';
import type { Increment } from '../../domain/increment.ts';

/** The column of each sketch in a table of sums. */
export const sketchColumns: Readonly<Record<SketchName, string>> = {
  latency: 'latency_sketch',
  throughput: 'throughput_sketch',
};

const countSpan = 4_294_967_296n;

/** Counts of values by their bins. A count is negative where a value is taken out. */
export type BinCounts = Readonly<Record<SketchName, ReadonlyMap<number, bigint>>>;

/** Adds the bins of a row to those of others, in place. */
export class GrowingSketches implements BinCounts {
  readonly latency = new Map<number, bigint>();
  readonly throughput = new Map<number, bigint>();

  add({ row, sign }: Increment): void {
    for (const name of sketchNames) {
      const bin = row.bins[name];
      if (bin !== undefined) this[name].set(bin, (this[name].get(bin) ?? 0n) + sign);
    }
  }
}

/** Returns the text of the list that a column stores. Null: it has no value. */
export function storedSketch(counts: ReadonlyMap<number, bigint>): string | null {
  const items = [...counts].filter(([, count]) => count !== 0n);
  if (items.length === 0) return null;
  return `{${items.map(([bin, count]) => BigInt(bin) * countSpan + count).join(',')}}`;
}

/** Expressions of the bin and of the count of an item of a list. */
export const binOfItem = '((item + 2147483648) >> 32)';
export const countOfItem = `(item - ${binOfItem} * 4294967296)`;
