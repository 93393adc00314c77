import type { Queryable } from '@sluice/read-model';

/** Holds the bytes of a table and of its indexes, in all its partitions. */
export interface TableSize {
  readonly table: string;
  readonly rows: number;
  readonly tableBytes: number;
  readonly indexBytes: number;
}

/** Returns the size of every table of the schema, largest first. */
export async function sizesOf(connection: Queryable): Promise<readonly TableSize[]> {
  const text = `SELECT coalesce(parent.relname, one.relname)::text AS "table",
      sum(greatest(one.reltuples, 0))::float8 AS rows,
      sum(pg_table_size(one.oid))::float8 AS "tableBytes", sum(pg_indexes_size(one.oid))::float8 AS "indexBytes"
    FROM pg_class AS one
      LEFT JOIN pg_inherits ON inhrelid = one.oid LEFT JOIN pg_class AS parent ON parent.oid = inhparent
    WHERE one.relkind = 'r' AND one.relnamespace = current_schema()::regnamespace
    GROUP BY 1 ORDER BY sum(pg_total_relation_size(one.oid)) DESC`;
  return await connection.query<TableSize & Record<string, unknown>>({ text, values: [] });
}
