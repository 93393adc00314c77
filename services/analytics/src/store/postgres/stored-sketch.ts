import { type SketchName, sketchNames } from '@sluice/analytics-model';
import type { Bins } from '../../domain/usage-row.ts';

interface SketchColumns {
  /** The one bin of a row with a single value. */
  readonly bin: string;
  /** The list of bins and their counts of any other row. */
  readonly items: string;
}

/** The columns of each sketch. A fact has bins alone. */
export const sketchColumns: Readonly<Record<SketchName, SketchColumns>> = {
  latency: { bin: 'latency_bin', items: 'latency_sketch' },
  throughput: { bin: 'throughput_bin', items: 'throughput_sketch' },
};

const countSpan = 4_294_967_296n;

/** Counts of values by their bins. A count is negative where a value is taken out. */
export type BinCounts = Readonly<Record<SketchName, ReadonlyMap<number, bigint>>>;

/** Adds the bins of rows to those of others, in place. */
export class GrowingSketches implements BinCounts {
  readonly latency = new Map<number, bigint>();
  readonly throughput = new Map<number, bigint>();

  add({ row, weight }: { readonly row: { readonly bins: Bins }; readonly weight: bigint }): void {
    for (const name of sketchNames) {
      const bin = row.bins[name];
      if (bin !== undefined) this[name].set(bin, (this[name].get(bin) ?? 0n) + weight);
    }
  }
}

/** Returns the bin of a sketch that has a single value. Null: it has none, or several. */
export function singleBin(counts: ReadonlyMap<number, bigint>): number | null {
  const items = [...counts].filter(([, count]) => count !== 0n);
  const [first] = items;
  return items.length === 1 && first?.[1] === 1n ? first[0] : null;
}

/** Returns the text of the list that a column stores. Null: a bin says it all. */
export function storedItems(counts: ReadonlyMap<number, bigint>): string | null {
  const items = [...counts].filter(([, count]) => count !== 0n);
  if (items.length === 0 || singleBin(counts) !== null) return null;
  return `{${items.map(([bin, count]) => BigInt(bin) * countSpan + count).join(',')}}`;
}

/** Expressions of the bin and of the count of an item of a list. */
export const binOfItem = '((item + 2147483648) >> 32)';
export const countOfItem = `(item - ${binOfItem} * 4294967296)`;
