import type { SqlValue } from '@sluice/read-model';
import { columnOf, type SqlType } from '@sluice/usage-facts';

type Row<Name extends string> = Readonly<Record<Name, unknown>>;

/** Rows as parameters of one statement, an array for each column. */
export interface GivenRows<Name extends string> {
  /** The names of the columns, for INSERT INTO. */
  readonly columns: string;
  /** The select list over `given`: each column in its own type. */
  readonly selected: string;
  /** The item of FROM: a table `given`, its rows in order. */
  readonly from: string;
  readonly valuesOf: (rows: readonly Row<Name>[]) => SqlValue[];
}

/**
 * Describes rows by the SQL types of their fields; a column has the name of its field. PostgreSQL has no arrays of
 * arrays of different lengths, so a list goes as the text of an array: its items hold no comma, quote, brace or
 * backslash. A `jsonb` field is given as its JSON; undefined is NULL. The first field has a value in each row.
 * @param firstParameter The number of the first parameter: others may stand before it.
 */
export function givenRows<const Name extends string>(
  types: Readonly<Record<Name, SqlType>>,
  firstParameter = 1,
): GivenRows<Name> {
  const fields = Object.entries(types) as [Name, SqlType][];
  const columns = fields.map(([name]) => columnOf(name)).join(', ');
  return {
    columns,
    selected: fields.map(([name, type]) => selectedOf(columnOf(name), type)).join(', '),
    from: `unnest(${fields
      .map(([, type], at) => sourceOf(at + firstParameter, type))
      .join(', ')}) AS given (${columns})`,
    valuesOf: (rows) =>
      fields.map(([name, type]) =>
        parameterOf(
          type,
          rows.map((row) => row[name]),
        ),
      ),
  };
}

function sourceOf(number: number, type: SqlType): string {
  // One text for all: as items of an SQL array each would have its quotes escaped.
  if (type === 'jsonb') return `ARRAY(SELECT jsonb_array_elements($${number}::jsonb))`;
  return `$${number}::${type.endsWith('[]') ? 'text[]' : `${type}[]`}`;
}

function selectedOf(column: string, type: SqlType): string {
  if (type === 'jsonb') return `nullif(${column}, 'null')`;
  return type.endsWith('[]') ? `coalesce(${column}::${type}, '{}')` : column;
}

/** An empty list stands for as many NULLs as there are rows: many columns have nothing in most batches. */
function parameterOf(type: SqlType, values: readonly unknown[]): SqlValue {
  if (values.every(isNothing)) return type === 'jsonb' ? '[]' : [];
  if (type === 'jsonb') return `[${values.map((json) => (json ?? 'null') as string).join(',')}]`;
  if (type.endsWith('[]')) return values.map((items) => `{${(items as unknown[]).join(',')}}`);
  return values.map((value) => (value ?? null) as string | bigint | boolean | null);
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}
