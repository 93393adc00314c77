import { type DimensionName, type ExportTableName, measureNames } from '@sluice/analytics-model';
import { column, dimensionsOf, type ExportColumn, integerOf } from '../export-columns.ts';
import { dimensionColumns } from '../tables.ts';

const integer = (name: string) => column(name, 'integer', (row) => integerOf(row[name]));
const text = (name: string) => column(name, 'text', (row) => (row[name] || null) as string | null);
const instant = (name: string) => column(name, 'instant', (row) => Number(row['bucket']));

/** Names of a workspace, a key and a member stand beside their ids, as they are now. */
const namesOf: Readonly<Partial<Record<DimensionName, readonly string[]>>> = {
  workspace: ['workspace_name'],
  api_key_id: ['key_name'],
  user: ['user_name', 'user_email'],
};

const starts: Readonly<Record<ExportTableName, readonly ExportColumn[]>> = {
  facts: [instant('at'), text('fact_id'), integer('revision')],
  usage_hour: [instant('hour')],
  usage_day: [instant('day')],
};

const credits = column('credits_nano_usd', 'integer', (row) => {
  const [service, fee] = [row['service_nano_usd'], row['fee_nano_usd']].map(integerOf);
  return BigInt(service ?? 0) + BigInt(fee ?? 0);
});

/** Returns the columns of a table: the same as those of the store in PostgreSQL. */
export function columnsOfTable(table: ExportTableName, accountId: string): readonly ExportColumn[] {
  return [
    column('account_id', 'text', () => accountId),
    ...starts[table],
    ...dimensionsOf(table).flatMap((name) => [
      text(dimensionColumns[name]),
      ...(namesOf[name] ?? []).map(text),
    ]),
    ...measureNames
      .filter((name) => name !== 'facts')
      .flatMap((name) => [...(name === 'service_nano_usd' ? [credits] : []), integer(name)]),
  ];
}
