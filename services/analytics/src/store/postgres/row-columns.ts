import {
  type Amounts,
  type DimensionName,
  dimensionNames,
  type Measure,
  measureNames,
  measures,
  sketchNames,
} from '@sluice/analytics-model';
import type { SqlValue } from '@sluice/read-model';
import { createHash } from 'node:crypto';
import { dimensionsOf, type UsageRow } from '../../domain/usage-row.ts';
import { dayOf } from './instants.ts';
import { type BinCounts, sketchColumns, storedSketch } from './stored-sketch.ts';
import { dimensionColumns, type Rollup } from './tables.ts';

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
    valuesOf: (rows) => columns.map(({ of }) => rows.map(of)),
  };
}

const column = <Row>(name: string, type: string, of: (row: Row) => Value): Column<Row> => ({
  name,
  type,
  of,
});

/** A zero takes no room as NULL, unless NULL says that the amount was never recorded. */
function storedAmount(name: Measure, amounts: Amounts): bigint | null {
  const amount = amounts[name];
  return amount === 0n && !measures[name].optional ? null : amount;
}

/** The columns of the facts. */
export const givenFacts = givenRows<UsageRow>([
  column('account_id', 'text', ({ accountId }) => accountId),
  column('day', 'date', ({ atMs }) => dayOf(atMs)),
  column('fact_id', 'text', ({ factId }) => factId),
  column('revision', 'smallint', ({ revision }) => revision),
  column('at', 'timestamptz', ({ atMs }) => new Date(atMs).toISOString()),
  ...dimensionNames.map((name) =>
    column<UsageRow>(dimensionColumns[name], 'text', ({ dimensions }) => dimensions[name]),
  ),
  ...measureNames.map((name) =>
    column<UsageRow>(name, 'bigint', ({ amounts }) => storedAmount(name, amounts)),
  ),
  column('latency_bin', 'smallint', ({ bins }) => bins.latency ?? null),
  column('throughput_bin', 'smallint', ({ bins }) => bins.throughput ?? null),
]);

/** The amounts that are added to one row of a table of sums. */
export interface Sum extends Pick<UsageRow, 'accountId' | 'atMs' | 'dimensions' | 'amounts'> {
  readonly rowId: string;
  readonly sketches: BinCounts;
}

/** Returns the columns of a table of sums. */
export function givenSums({ dimensions, hasSketches }: Rollup): Given<Sum> {
  return givenRows<Sum>([
    column('account_id', 'text', ({ accountId }) => accountId),
    column('at', 'timestamptz', ({ atMs }) => new Date(atMs).toISOString()),
    column('row_id', 'uuid', ({ rowId }) => rowId),
    ...dimensions.map((name) =>
      column<Sum>(dimensionColumns[name], 'text', ({ dimensions: values }) => values[name]),
    ),
    ...measureNames.map((name) =>
      column<Sum>(name, 'bigint', ({ amounts }) => storedAmount(name, amounts)),
    ),
    ...(hasSketches ? sketchNames : []).map((name) => ({
      ...column<Sum>(sketchColumns[name], 'text', ({ sketches }) => storedSketch(sketches[name])),
      cast: 'bigint[]',
    })),
  ]);
}

/** Returns the id of the row of these dimensions. */
export function rowIdOf(
  names: readonly DimensionName[],
  dimensions: UsageRow['dimensions'],
): string {
  const text = JSON.stringify(names.map((name) => dimensions[name]));
  return createHash('md5').update(text).digest('hex');
}

/** Selects the values of a fact as `rowOfStored` reads them. */
export const selectedFact = [
  'account_id AS "accountId"',
  'fact_id AS "factId"',
  'revision',
  'at',
  ...dimensionNames.map((name) => `${dimensionColumns[name]} AS "d_${name}"`),
  ...measureNames.map((name) => `${name} AS "m_${name}"`),
  'latency_bin AS "latencyBin"',
  'throughput_bin AS "throughputBin"',
].join(', ');

export type StoredFact = Readonly<Record<string, unknown>> & {
  readonly accountId: string;
  readonly factId: string;
  readonly revision: number;
  readonly at: Date;
  readonly latencyBin: number | null;
  readonly throughputBin: number | null;
};

export function rowOfStored(stored: StoredFact): UsageRow {
  const { accountId, factId, revision, at, latencyBin, throughputBin } = stored;
  const dimensions = Object.fromEntries(dimensionNames.map((name) => [name, stored[`d_${name}`]]));
  const amounts = Object.fromEntries(
    measureNames.map((name) => [
      name,
      stored[`m_${name}`] ?? (measures[name].optional ? null : 0n),
    ]),
  );
  return {
    accountId,
    factId,
    revision,
    atMs: at.getTime(),
    dimensions: dimensionsOf(dimensions),
    amounts: amounts as UsageRow['amounts'],
    bins: {
      ...(latencyBin !== null && { latency: latencyBin }),
      ...(throughputBin !== null && { throughput: throughputBin }),
    },
  };
}
