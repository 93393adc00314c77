import type { Queryable, SqlValue } from './statement.ts';

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** The number of rows of all pages. */
  readonly totalCount: number;
}

export interface PageQuestion {
  /** The name of what is listed: `members`. */
  readonly name: string;
  readonly columns: string;
  /** The tables and the condition on their rows, with the parameters `values`. */
  readonly from: string;
  readonly orderBy: string;
  readonly values: readonly SqlValue[];
  readonly offset: number;
  readonly limit: number;
}

/** Reads a page of rows, and counts the rows of all pages. */
export async function readPage<Row extends object>(
  reads: Queryable,
  { name, columns, from, orderBy, values, offset, limit }: PageQuestion,
): Promise<Page<Row>> {
  const [skipped, taken] = [values.length + 1, values.length + 2];
  const rows = await reads.query<Row>({
    name: `list-${name}`,
    text: `SELECT ${columns} FROM ${from} ORDER BY ${orderBy} OFFSET $${skipped} LIMIT $${taken}`,
    values: [...values, offset, limit],
  });
  const [counted] = await reads.query<{ total: number }>({
    name: `count-${name}`,
    text: `SELECT count(*)::int AS total FROM ${from}`,
    values,
  });
  return { rows, totalCount: counted?.total ?? 0 };
}
