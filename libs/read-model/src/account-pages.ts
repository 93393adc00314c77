import { tenantRole } from './setup/tenant-role.ts';
import type { Queryable, Statement } from './statement.ts';

/** A reader may rest for so long between two pages. Then PostgreSQL ends the session. */
const restMsMax = 60_000;

/**
 * Returns the rows of a statement in pages, as the role that owns nothing, for one account only. All pages show the
 * moment of the first one, however much changes meanwhile. The connection is free again when the reader stops.
 */
export async function* readPagesAsAccount<Row extends object>(
  connection: Queryable,
  accountId: string,
  { statement, rows: most }: { readonly statement: Statement; readonly rows: number },
): AsyncGenerator<readonly Row[]> {
  const { text, values } = statement;
  await connection.query({ text: 'BEGIN READ ONLY', values: [] });
  await connection.query({
    text: `SELECT set_config('role', '${tenantRole}', true), set_config('sluice.account_id', $1, true),
             set_config('idle_in_transaction_session_timeout', $2, true)`,
    values: [accountId, String(restMsMax)],
  });
  await connection.query({ text: `DECLARE pages NO SCROLL CURSOR FOR ${text}`, values });
  for (;;) {
    const rows = await connection.query<Row>({ text: `FETCH ${most} FROM pages`, values: [] });
    if (rows.length > 0) yield rows;
    if (rows.length < most) return;
  }
}
