import { type Measure, measureNames, measures, sketchNames } from '@sluice/analytics-model';
import type { SqlValue } from '@sluice/read-model';
import { dayOf } from '../instants.ts';
import type { NumberedRow } from './numbered-row.ts';
import { type BinCounts, singleBin, sketchColumns, storedItems } from './stored-sketch.ts';
import { dictionaries, type Rollup } from '../tables.ts';

type Value = string | number | bigint | null;

/** A column of rows that are given as parameters, an array each. */
interface Column<Row> {
  readonly name: string;
  readonly type: string;
  readonly of: (row: Row) => Value;
  /** The type that a text is cast to. */
  readonly cast?: string;
}

/** Rows as parameters of one statement. */
export interface Given<Row> {
  readonly columns: string;
  /** `SELECT … FROM given`: the rows. */
  readonly select: string;
  readonly valuesOf: (rows: readonly Row[]) => SqlValue[];
}

export function givenRows<Row>(columns: readonly Column<Row>[]): Given<Row> {
  const names = columns.map(({ name }) => name).join(', ');
  return {
    columns: names,
    select: `SELECT ${columns.map(({ name, cast }) => (cast === undefined ? name : `${name}::${cast}`)).join(', ')}
      FROM unnest(${columns.map(({ type }, at) => `$${at + 1}::${type}[]`).join(', ')}) AS given (${names})`,
    // An empty list stands for as many NULLs as there are rows: most amounts of most batches are.
    valuesOf: (rows) =>
      columns.map(({ of }) => {
        const values = rows.map(of);
        return values.some((value) => value !== null) ? values : [];
      }),
  };
}

const column = <Row>(name: string, type: string, of: (row: Row) => Value): Column<Row> => ({
  name,
  type,
  of,
});

/** Measures that no day has two billion of: PostgreSQL does not count so fast. */
const smallMeasures: ReadonlySet<Measure> = new Set<Measure>([
  'facts',
  'requests',
  'blocked_requests',
  'guardrail_requests',
  'byok_requests',
  'repeated_responses',
  'tool_calls',
  'latency_count',
  'throughput_count',
]);

const typeOf = (name: Measure) => (smallMeasures.has(name) ? 'integer' : 'bigint');

/** A zero takes no room as NULL, unless NULL says that the amount was never recorded. */
function storedAmount(name: Measure, amount: bigint | null): bigint | null {
  return amount === 0n && !measures[name].optional ? null : amount;
}

/** Returns the generation, unless the id of the fact begins with it. */
const storedGeneration = ({ factId, generationId }: NumberedRow) =>
  factId.split('/', 1)[0] === generationId ? null : generationId;

/** When a row was counted. Old rows do not say it: they are taken as counted at once. */
export const countedAt = 'coalesce(counted_at, at)';

/** The columns of the facts. */
export const givenFacts = givenRows<NumberedRow>([
  column('account', 'integer', ({ account }) => account),
  column('day', 'date', ({ atMs }) => dayOf(atMs)),
  column('fact_id', 'text', ({ factId }) => factId),
  column('revision', 'smallint', ({ revision }) => revision),
  column('at', 'timestamptz', ({ atMs }) => new Date(atMs).toISOString()),
  column('counted_at', 'timestamptz', ({ countedAtMs }) => new Date(countedAtMs).toISOString()),
  column('generation_id', 'text', storedGeneration),
  ...dictionaries.map(({ ref }) => column<NumberedRow>(ref, 'integer', ({ refs }) => refs[ref])),
  ...measureNames.map((name) =>
    column<NumberedRow>(name, typeOf(name), ({ amounts }) => storedAmount(name, amounts[name])),
  ),
  ...sketchNames.map((name) =>
    column<NumberedRow>(sketchColumns[name].bin, 'smallint', ({ bins }) => bins[name] ?? null),
  ),
]);

/** The place of each measure in `Sum.totals`. */
const places = Object.fromEntries(measureNames.map((name, index) => [name, index])) as Readonly<
  Record<Measure, number>
>;

/** The amounts that are added to one row of a table of sums. */
export interface Sum extends Pick<NumberedRow, 'account' | 'refs'> {
  readonly at: string;
  /** An amount for each measure, in the order of their names. */
  readonly totals: readonly (bigint | null)[];
  readonly sketches: BinCounts;
}

/** Sums per day do not say of how many facts they are: no metric does, and it would be part of nearly all rows. */
const measuresOfDays = measureNames.filter((name) => name !== 'facts');

/** Returns the measures that a table of sums has columns for. */
export function measuresOf({ bucket }: Rollup): readonly Measure[] {
  return bucket === 'day' ? measuresOfDays : measureNames;
}

/** Returns the columns of a table of sums. */
export function givenSums(rollup: Rollup): Given<Sum> {
  const { refs: ofTable, hasSketches } = rollup;
  return givenRows<Sum>([
    column('account', 'integer', ({ account }) => account),
    column('at', 'timestamptz', ({ at }) => at),
    ...ofTable.map((ref) => column<Sum>(ref, 'integer', ({ refs }) => refs[ref])),
    ...measuresOf(rollup).map((name) =>
      column<Sum>(name, typeOf(name), ({ totals }) =>
        storedAmount(name, totals[places[name]] ?? null),
      ),
    ),
    ...(hasSketches ? sketchNames : []).flatMap((name) => [
      column<Sum>(sketchColumns[name].bin, 'smallint', ({ sketches }) => singleBin(sketches[name])),
      {
        ...column<Sum>(sketchColumns[name].items, 'text', ({ sketches }) =>
          storedItems(sketches[name]),
        ),
        cast: 'bigint[]',
      },
    ]),
  ]);
}

/** Selects the values of a fact as `rowOfStored` reads them. */
export const selectedFact = [
  'account',
  'fact_id AS "factId"',
  'revision',
  'at',
  ...dictionaries.map(({ ref }) => ref),
  ...measureNames.map((name) => `${name} AS "m_${name}"`),
  ...sketchNames.map((name) => `${sketchColumns[name].bin} AS "b_${name}"`),
].join(', ');

export type StoredFact = Readonly<Record<string, number | bigint | null>> & {
  readonly account: number;
  readonly factId: string;
  readonly revision: number;
  readonly at: Date;
};

/** A fact as sums know it. */
export type CountedRow = Omit<NumberedRow, 'generationId' | 'countedAtMs'>;

/** Returns what a stored fact added to the sums. */
export function rowOfStored(stored: StoredFact): CountedRow {
  const { account, factId, revision, at } = stored;
  const refs = Object.fromEntries(dictionaries.map(({ ref }) => [ref, stored[ref]]));
  const amounts = Object.fromEntries(
    measureNames.map((name) => {
      const value = stored[`m_${name}`] ?? null;
      if (value !== null) return [name, BigInt(value)];
      return [name, measures[name].optional ? null : 0n];
    }),
  );
  const bins = sketchNames.flatMap((name) => {
    const bin = stored[`b_${name}`] ?? null;
    return bin === null ? [] : [[name, bin]];
  });
  return {
    account,
    factId,
    revision,
    atMs: at.getTime(),
    refs: refs as NumberedRow['refs'],
    amounts: amounts as NumberedRow['amounts'],
    bins: Object.fromEntries(bins) as NumberedRow['bins'],
  };
}
