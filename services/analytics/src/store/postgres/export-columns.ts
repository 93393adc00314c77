import {
  type DimensionName,
  type ExportTableName,
  exportTables,
  measureNames,
  measures,
  metricOf,
  type MetricName,
  type Question,
  valueOfBin,
} from '@sluice/analytics-model';
import type { Cell, Column, ColumnKind } from '../export-source.ts';
import { dimensionColumns, dimensionValue, namedKinds } from '../tables.ts';

/** The account is the first parameter of each statement. */
export const accountParameter = '$1::text';

type StoredRow = Readonly<Record<string, unknown>>;

/** A column of an export, and its value in a row of the statement. */
export interface ExportColumn extends Column {
  /** The expression in SQL. Of a question, `buildQuery` writes it. */
  readonly sql?: string;
  readonly of: (row: StoredRow) => Cell;
}

const asCell = (value: unknown): Cell => {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'bigint' || typeof value === 'number' || typeof value === 'string')
    return value;
  throw new Error('invariant: a column is a text, a number or an instant');
};

const integerCell = (value: unknown): Cell =>
  typeof value === 'number' ? BigInt(value) : asCell(value);

function column(name: string, kind: ColumnKind, sql: string): ExportColumn {
  const cell = kind === 'integer' ? integerCell : asCell;
  return { name, kind, sql, of: (row) => cell(row[name]) };
}

const text = (name: string, sql: string) => column(name, 'text', `nullif(${sql}, '')`);

/** Names of a workspace, a key and a member stand beside their ids, as they are now. */
const namesOf: Readonly<Partial<Record<DimensionName, readonly ExportColumn[]>>> = {
  workspace: [text('workspace_name', 'workspace.name')],
  api_key_id: [text('key_name', 'key.name')],
  user: [text('user_name', 'member.name'), text('user_email', 'member.email')],
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
  facts: [
    column('at', 'instant', 'one.at'),
    column('fact_id', 'text', 'one.fact_id'),
    column('revision', 'integer', 'one.revision'),
  ],
  usage_hour: [column('hour', 'instant', 'one.at')],
  usage_day: [column('day', 'instant', 'one.at')],
};

/** An amount of zero is stored as NULL, unless NULL says that it was never recorded. */
const amounts: readonly ExportColumn[] = measureNames
  .filter((name) => name !== 'facts')
  .flatMap((name) => {
    const sql = measures[name].optional ? `one.${name}` : `coalesce(one.${name}, 0)`;
    const amount = column(name, 'integer', sql);
    if (name !== 'service_nano_usd') return [amount];
    const credits = 'coalesce(one.service_nano_usd, 0) + coalesce(one.fee_nano_usd, 0)';
    return [column('credits_nano_usd', 'integer', credits), amount];
  });

/** Returns the columns of a table: those of the view of `analytics_v1` without amounts in USD. */
export function columnsOfTable(table: ExportTableName): readonly ExportColumn[] {
  const known: readonly DimensionName[] = exportTables[table].dimensions;
  return [
    column('account_id', 'text', accountParameter),
    ...starts[table],
    ...order
      .filter((name) => known.includes(name))
      .flatMap((name) => [
        text(dimensionColumns[name], dimensionValue(name)),
        ...(namesOf[name] ?? []),
      ]),
    ...amounts,
  ];
}

/** Returns the columns of an answer. An amount of money is an integer in nano-USD. */
export function columnsOfQuestion({
  metrics,
  dimensions,
  granularity,
}: Question): readonly ExportColumn[] {
  return [
    ...(granularity ? [of(`date__${granularity}`, 'instant', startOfBucket)] : []),
    ...dimensions.flatMap((name, index) => [
      of(name, 'text', (row) => asCell(row[`label_${index}`])),
      ...(namedKinds[name] === 'member'
        ? [of(`${name}_email`, 'text', (row) => asCell(row[`email_${index}`]))]
        : []),
    ]),
    ...metrics.map(metricColumn),
  ];
}

const startOfBucket = (row: StoredRow): Cell => Number(row['bucket_second']) * 1_000;

const of = (name: string, kind: ColumnKind, value: ExportColumn['of']): ExportColumn => ({
  name,
  kind,
  of: value,
});

function metricColumn(name: MetricName): ExportColumn {
  const { value, format } = metricOf(name);
  if (value.kind === 'quantile')
    return of(name, 'number', (row) => {
      const bin = row[name];
      return bin === null || bin === undefined ? null : valueOfBin(Number(bin));
    });
  if (value.kind === 'ratio') return of(name, 'number', (row) => asCell(row[name]));
  return of(format === 'currency' ? `${name}_nano_usd` : name, 'integer', (row) =>
    integerCell(row[name]),
  );
}
