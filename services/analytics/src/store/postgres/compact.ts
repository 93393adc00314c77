import type { Database } from '@sluice/read-model';
import { dayMs, dayOf } from '../instants.ts';
import { rollups } from '../tables.ts';

/** Most late facts have come so long after the end of their month, or of their day. */
const settleMs = 2 * dayMs;
/** A larger partition would be locked for too long. */
const bytesMax = 268_435_456;
const lockTimeoutMs = 1_000;
/** Less than the client waits for an answer. */
const rewriteMsMax = 10_000;
const atOnceMax = 4;

/**
 * Rewrites months of sums and days of facts that are over, each once: in the order of their key, so that the rows of an
 * account lie together, and without the room of old versions of rows and of half full pages. PostgreSQL notes that it
 * was done.
 */
export async function compactPartitions(database: Database, now: Date): Promise<void> {
  const over = await database.query<{ name: string; index: string }>({
    text: `SELECT format('%I', part.relname) AS name, format('%I', key.relname) AS index
      FROM unnest($1::text[]) AS parent
        JOIN pg_class AS whole ON whole.relname = parent
          AND whole.relnamespace = current_schema()::regnamespace
        JOIN pg_inherits ON inhparent = whole.oid
        JOIN pg_class AS part ON part.oid = inhrelid
        JOIN pg_index AS made ON made.indrelid = part.oid AND made.indisprimary AND NOT made.indisclustered
        JOIN pg_class AS key ON key.oid = made.indexrelid
      WHERE pg_relation_size(part.oid) BETWEEN 1 AND $2
        AND (regexp_match(pg_get_expr(part.relpartbound, part.oid), 'TO \\(''(\\d{4}-\\d\\d-\\d\\d)'))[1] <= $3
      ORDER BY part.relname LIMIT ${atOnceMax}`,
    values: [
      [...rollups.map(({ table }) => table), 'facts'],
      bytesMax,
      dayOf(now.getTime() - settleMs),
    ],
  });
  for (const { name, index } of over)
    await database.transaction(async (transaction) => {
      const run = async (text: string) => await transaction.query({ text, values: [] });
      await run(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
      await run(`SET LOCAL statement_timeout = ${rewriteMsMax}`);
      await run(`ALTER INDEX ${index} SET (fillfactor = 100)`);
      await run(`CLUSTER ${name} USING ${index}`);
    });
}
