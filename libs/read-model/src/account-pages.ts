import { tenantRole } from './setup/tenant-role.ts';
import type { Queryable, Statement } from './statement.ts';

/** A reader may rest for so long between two pages. Then PostgreSQL ends the session. */
const restMsMax = 60_000;

/** Statements whose rows are read one behind the other, so many rows at a time. */
export interface PagedStatements {
  readonly statements: readonly Statement[];
  readonly rows: number;
}

/**
 * Returns the rows of statements in pages, as the role that owns nothing, for one account only. All pages show the
 * moment of the first one, however much changes meanwhile. The caller ends the transaction.
 */
export async function* readPagesAsAccount<Row extends object>(
  connection: Queryable,
  accountId: string,
  { statements, rows: most }: PagedStatements,
): AsyncGenerator<readonly Row[]> {
  await connection.query({ text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', values: [] });
  await connection.query({
    text: `SELECT set_config('role', '${tenantRole}', true), set_config('sluice.account_id', $1, true),
             set_config('idle_in_transaction_session_timeout', $2, true)`,
    values: [accountId, String(restMsMax)],
  });
  for (const { text, values } of statements) {
    await connection.query({ text: `DECLARE pages NO SCROLL CURSOR FOR ${text}`, values });
    for (;;) {
      const rows = await connection.query<Row>({ text: `FETCH ${most} FROM pages`, values: [] });
      if (rows.length > 0) yield rows;
      if (rows.length < most) break;
    }
    await connection.query({ text: 'CLOSE pages', values: [] });
  }
}
