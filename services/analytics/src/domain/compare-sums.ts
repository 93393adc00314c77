import { type Measure, measureNames } from '@sluice/analytics-model';

/** Every table that has sums or facts, the one that is believed most first. */
export const comparedTables = [
  'ledger',
  'facts',
  'usage_hour',
  'usage_day',
  'usage_day_model',
] as const;
export type ComparedTable = (typeof comparedTables)[number];

/** The measures that are compared: those of facts, and the one that the ledger has for two of them together. */
export const comparedMeasures = [...measureNames, 'credits_nano_usd'] as const;
export type ComparedMeasure = Measure | 'credits_nano_usd';

/** Amounts of a bucket. Absent: the table does not have this measure. */
export type Compared = { readonly [Name in ComparedMeasure]?: bigint };

/** The amounts that a table has for each hour of a part of a day, or for a whole day. */
export interface TableSums {
  readonly table: ComparedTable;
  readonly bucket: 'hour' | 'day';
  /** The amounts by the start of the bucket, in milliseconds since 1970. A bucket without usage may be absent. */
  readonly sums: ReadonlyMap<number, Compared>;
}

/** A sum that is not what the other tables say. */
export interface Difference {
  readonly table: ComparedTable;
  readonly bucket: 'hour' | 'day';
  readonly atMs: number;
  readonly measure: ComparedMeasure;
  readonly value: bigint;
  readonly expected: bigint;
  /** One of the tables that have the expected value. */
  readonly expectedOf: ComparedTable;
}

interface Side {
  readonly table: ComparedTable;
  readonly amounts: Compared;
}

/**
 * Compares the tables at a day or a part of it, which begins at an instant: its whole sums, and those of its hours
 * where two tables have hours. The value of most tables is expected; of a tie, that of the more believed one.
 */
export function compareSums(tables: readonly TableSums[], startMs: number): readonly Difference[] {
  const sides = tables.map(({ table, sums }) => ({ table, amounts: wholeOf(sums) }));
  const ofWhole = compareSides(sides).map((one): Difference => ({
    ...one,
    bucket: 'day',
    atMs: startMs,
  }));
  const hourly = tables.filter(({ bucket }) => bucket === 'hour');
  const starts = new Set(hourly.flatMap(({ sums }) => [...sums.keys()]));
  const ofHours = [...starts]
    .toSorted((a, b) => a - b)
    .flatMap((atMs) =>
      compareSides(
        hourly.map(({ table, sums }) => ({ table, amounts: sums.get(atMs) ?? {} })),
        ofWhole,
      ).map((one): Difference => ({ ...one, bucket: 'hour', atMs })),
    );
  // Without a whole day, its hours say it all.
  const isWholeDay = tables.some(({ bucket }) => bucket === 'day');
  return isWholeDay ? [...ofWhole, ...ofHours] : ofHours;
}

function wholeOf(sums: TableSums['sums']): Compared {
  const whole: Partial<Record<ComparedMeasure, bigint>> = {};
  for (const amounts of sums.values())
    for (const name of comparedMeasures) {
      const amount = amounts[name];
      if (amount !== undefined) whole[name] = (whole[name] ?? 0n) + amount;
    }
  return whole;
}

/** The measures of the ledger. */
export const ledgerMeasures: readonly ComparedMeasure[] = [
  'requests',
  'input_tokens',
  'output_tokens',
  'reasoning_tokens',
  'credits_nano_usd',
  'byok_nano_usd',
];

/** Sums per day do not say of how many facts they are. */
function isKnown(table: ComparedTable, measure: ComparedMeasure): boolean {
  if (table === 'ledger') return ledgerMeasures.includes(measure);
  return measure !== 'facts' || (table !== 'usage_day' && table !== 'usage_day_model');
}

function compareSides(sides: readonly Side[], wrong: readonly Difference[] = []) {
  return comparedMeasures.flatMap((measure) => {
    const isWrong = (table: ComparedTable) =>
      wrong.some((one) => one.table === table && one.measure === measure);
    const having = sides
      .filter(({ table }) => isKnown(table, measure))
      // A table whose whole sum is wrong is believed least.
      .toSorted((a, b) => Number(isWrong(a.table)) - Number(isWrong(b.table)))
      .map(({ table, amounts }) => ({ table, value: amounts[measure] ?? 0n }));
    const groups = [...Map.groupBy(having, ({ value }) => value).values()];
    const most = Math.max(0, ...groups.map(({ length }) => length));
    const [expected] = groups.find(({ length }) => length === most) ?? [];
    if (!expected) return [];
    return having
      .filter(({ value }) => value !== expected.value)
      .map(({ table, value }) => ({
        table,
        measure,
        value,
        expected: expected.value,
        expectedOf: expected.table,
      }));
  });
}
