import {
  type DimensionName,
  type ExportTableName,
  measureNames,
  measures,
} from '@sluice/analytics-model';
import { cellOf, dimensionsOf, type ExportColumn, integerOf } from '../export-columns.ts';
import type { ColumnKind } from '../export-source.ts';
import { dimensionColumns, dimensionValue } from '../tables.ts';

/** The account is the first parameter of each statement. */
export const accountParameter = '$1::text';

/** A column of a table, and its expression in SQL. */
export interface TableColumn extends ExportColumn {
  readonly sql: string;
}

function column(name: string, kind: ColumnKind, sql: string): TableColumn {
  const cell = kind === 'integer' ? integerOf : cellOf;
  return { name, kind, sql, of: (row) => cell(row[name]) };
}

const text = (name: string, sql: string) => column(name, 'text', `nullif(${sql}, '')`);

/** Names of a workspace, a key and a member stand beside their ids, as they are now. */
const namesOf: Readonly<Partial<Record<DimensionName, readonly TableColumn[]>>> = {
  workspace: [text('workspace_name', 'workspace.name')],
  api_key_id: [text('key_name', 'key.name')],
  user: [text('user_name', 'member.name'), text('user_email', 'member.email')],
};

const starts: Readonly<Record<ExportTableName, readonly TableColumn[]>> = {
  facts: [
    column('at', 'instant', 'one.at'),
    column('fact_id', 'text', 'one.fact_id'),
    column('revision', 'integer', 'one.revision'),
  ],
  usage_hour: [column('hour', 'instant', 'one.at')],
  usage_day: [column('day', 'instant', 'one.at')],
};

/** An amount of zero is stored as NULL, unless NULL says that it was never recorded. */
const amounts: readonly TableColumn[] = measureNames
  .filter((name) => name !== 'facts')
  .flatMap((name) => {
    const sql = measures[name].optional ? `one.${name}` : `coalesce(one.${name}, 0)`;
    const amount = column(name, 'integer', sql);
    if (name !== 'service_nano_usd') return [amount];
    const credits = 'coalesce(one.service_nano_usd, 0) + coalesce(one.fee_nano_usd, 0)';
    return [column('credits_nano_usd', 'integer', credits), amount];
  });

/** Returns the columns of a table: those of the view of `analytics_v1` without amounts in USD. */
export function columnsOfTable(table: ExportTableName): readonly TableColumn[] {
  return [
    column('account_id', 'text', accountParameter),
    ...starts[table],
    ...dimensionsOf(table).flatMap((name) => [
      text(dimensionColumns[name], dimensionValue(name)),
      ...(namesOf[name] ?? []),
    ]),
    ...amounts,
  ];
}
