import type { Connection } from '@sluice/read-model';

const ended = `
  SELECT format('%I', relname) AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
  WHERE inhparent = 'usage_facts'::regclass
    AND (regexp_match(pg_get_expr(relpartbound, pg_class.oid), $$TO \\('([^']+)'\\)$$))[1]::timestamptz <= $1`;

/**
 * Drops the partitions that ended by an instant and have no facts: a day without usage, a month that is archived. The
 * partition of the rest has no end.
 */
export async function dropEmptyPartitions(connection: Connection, before: Date): Promise<void> {
  const partitions = await connection.query<{ name: string }>({ text: ended, values: [before] });
  for (const { name } of partitions)
    await connection.transaction(async (transaction) => {
      await transaction.query({ text: `SET LOCAL lock_timeout = '5s'`, values: [] });
      // No fact comes in before the transaction ends.
      await transaction.query({ text: `LOCK TABLE ${name} IN SHARE MODE`, values: [] });
      const some = await transaction.query({ text: `SELECT FROM ${name} LIMIT 1`, values: [] });
      if (some.length === 0) await transaction.query({ text: `DROP TABLE ${name}`, values: [] });
    });
}
