import {
  type DimensionName,
  type ExportTableName,
  exportTables,
  metricOf,
  type MetricName,
  type Question,
  valueOfBin,
} from '@sluice/analytics-model';
import type { Cell, Column, ColumnKind } from './export-source.ts';
import { namedKinds } from './tables.ts';

export type StoredRow = Readonly<Record<string, unknown>>;

/** A column of an export, and its value in a row of the statement. */
export interface ExportColumn extends Column {
  readonly of: (row: StoredRow) => Cell;
}

export const column = (
  name: string,
  kind: ColumnKind,
  of: (row: StoredRow) => Cell,
): ExportColumn => ({ name, kind, of });

export function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'bigint' || typeof value === 'number' || typeof value === 'string')
    return value;
  throw new Error('invariant: a column is a text, a number or an instant');
}

/** ClickHouse answers 64-bit integers as texts. */
export function integerOf(value: unknown): Cell {
  const cell = cellOf(value);
  return cell === null ? null : BigInt(cell);
}

const order: readonly DimensionName[] = [
  'workspace',
  'api_key_id',
  'user',
  'model',
  'variant',
  'app',
  'generation_id',
  'provider',
  'origin',
  'country',
  'finish_reason',
  'external_user',
  'context_length_bucket',
];

/** Returns the dimensions of a table in the order of its columns. */
export function dimensionsOf(table: ExportTableName): readonly DimensionName[] {
  const known: readonly DimensionName[] = exportTables[table].dimensions;
  return order.filter((name) => known.includes(name));
}

/** The names that a store gives to the parts of an answer. */
export interface AnswerNames {
  /** The start of a bucket in seconds. */
  readonly bucket: string;
  readonly valueOf: (metric: MetricName) => string;
}

/** Returns the columns of an answer. An amount of money is an integer in nano-USD. */
export function columnsOfQuestion(
  { metrics, dimensions, granularity }: Question,
  { bucket, valueOf }: AnswerNames,
): readonly ExportColumn[] {
  return [
    ...(granularity
      ? [column(`date__${granularity}`, 'instant', (row) => Number(row[bucket]) * 1_000)]
      : []),
    ...dimensions.flatMap((name, index) => [
      column(name, 'text', (row) => cellOf(row[`label_${index}`])),
      ...(namedKinds[name] === 'member'
        ? [column(`${name}_email`, 'text', (row) => cellOf(row[`email_${index}`]))]
        : []),
    ]),
    ...metrics.map((name) => metricColumn(name, valueOf(name))),
  ];
}

function metricColumn(name: MetricName, stored: string): ExportColumn {
  const { value, format } = metricOf(name);
  if (value.kind === 'quantile')
    return column(name, 'number', (row) => {
      const bin = cellOf(row[stored]);
      return bin === null ? null : valueOfBin(Number(bin));
    });
  if (value.kind === 'ratio') return column(name, 'number', (row) => cellOf(row[stored]));
  const shown = format === 'currency' ? `${name}_nano_usd` : name;
  return column(shown, 'integer', (row) => integerOf(row[stored]));
}
