import {
  type DimensionName,
  type ExportTableName,
  exportTables,
  measureNames,
  metricOf,
  type MetricName,
  type Question,
  valueOfBin,
} from '@sluice/analytics-model';
import type { Cell, Column, ColumnKind } from '../export-source.ts';
import { dimensionColumns, namedKinds } from '../tables.ts';

type StoredRow = Readonly<Record<string, string | number | null>>;

/** A column of an export, and its value in a row of the statement. */
export interface ExportColumn extends Column {
  readonly of: (row: StoredRow) => Cell;
}

const column = (name: string, kind: ColumnKind, of: ExportColumn['of']): ExportColumn => ({
  name,
  kind,
  of,
});

/** 64-bit integers come as texts. */
function integerOf(value: string | number | null | undefined): Cell {
  return value === null || value === undefined ? null : BigInt(value);
}

const integer = (name: string) => column(name, 'integer', (row) => integerOf(row[name]));
const text = (name: string) => column(name, 'text', (row) => row[name] || null);
const instant = (name: string) => column(name, 'instant', (row) => Number(row['bucket']));

/** Names of a workspace, a key and a member stand beside their ids, as they are now. */
const namesOf: Readonly<Partial<Record<DimensionName, readonly string[]>>> = {
  workspace: ['workspace_name'],
  api_key_id: ['key_name'],
  user: ['user_name', 'user_email'],
};

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

const starts: Readonly<Record<ExportTableName, readonly ExportColumn[]>> = {
  facts: [instant('at'), text('fact_id'), integer('revision')],
  usage_hour: [instant('hour')],
  usage_day: [instant('day')],
};

/** Returns the columns of a table: the same as those of the store in PostgreSQL. */
export function columnsOfTable(table: ExportTableName, accountId: string): readonly ExportColumn[] {
  const known: readonly DimensionName[] = exportTables[table].dimensions;
  const credits = column('credits_nano_usd', 'integer', (row) => {
    const [service, fee] = [row['service_nano_usd'] ?? 0, row['fee_nano_usd'] ?? 0];
    return BigInt(service) + BigInt(fee);
  });
  return [
    column('account_id', 'text', () => accountId),
    ...starts[table],
    ...order
      .filter((name) => known.includes(name))
      .flatMap((name) => [text(dimensionColumns[name]), ...(namesOf[name] ?? []).map(text)]),
    ...measureNames
      .filter((name) => name !== 'facts')
      .flatMap((name) => [...(name === 'service_nano_usd' ? [credits] : []), integer(name)]),
  ];
}

/** Returns the columns of an answer. An amount of money is an integer in nano-USD. */
export function columnsOfQuestion({
  metrics,
  dimensions,
  granularity,
}: Question): readonly ExportColumn[] {
  return [
    ...(granularity
      ? [column(`date__${granularity}`, 'instant', (row) => Number(row['bucket']) * 1_000)]
      : []),
    ...dimensions.flatMap((name, index) => [
      column(name, 'text', (row) => row[`label_${index}`] ?? null),
      ...(namedKinds[name] === 'member'
        ? [column(`${name}_email`, 'text', (row) => row[`email_${index}`] ?? null)]
        : []),
    ]),
    ...metrics.map(metricColumn),
  ];
}

function metricColumn(name: MetricName): ExportColumn {
  const { value, format } = metricOf(name);
  const of = (row: StoredRow) => row[`value_${name}`];
  if (value.kind === 'quantile')
    return column(name, 'number', (row) => {
      const bin = of(row);
      return bin === null || bin === undefined ? null : valueOfBin(Number(bin));
    });
  if (value.kind === 'ratio') return column(name, 'number', (row) => of(row) ?? null);
  const shown = format === 'currency' ? `${name}_nano_usd` : name;
  return column(shown, 'integer', (row) => integerOf(of(row)));
}
