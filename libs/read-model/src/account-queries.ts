import type { Connection } from './connection.ts';
import { isBroken } from './failure.ts';
import { tenantRole } from './setup/tenant-role.ts';
import type { Queryable, Statement } from './statement.ts';

/** Sees the rows of one account, whatever a statement asks for, and changes none. */
export interface AccountQueryable extends Queryable {
  readonly accountId: string;
}

/** Runs queries of accounts. */
export interface AccountReads {
  forAccount(accountId: string): AccountQueryable;
}

/**
 * Runs the statement as the role that owns nothing, for that account only: the policies of the tables
 * leave the rows of all others out. What the statement needs around it goes out together with it, so
 * that it is one round trip like any other.
 */
export async function queryAsAccount<Row extends object>(
  connection: Pick<Connection, 'query'>,
  accountId: string,
  statement: Statement,
): Promise<readonly Row[]> {
  const [begun, become, asked, ended] = await Promise.allSettled([
    connection.query({ text: 'BEGIN', values: [] }),
    connection.query({
      name: 'become-account',
      text: `SELECT set_config('role', '${tenantRole}', true), set_config('sluice.account_id', $1, true)`,
      values: [accountId],
    }),
    connection.query<Row>(statement),
    connection.query({ text: 'COMMIT', values: [] }),
  ]);
  const failures = [begun, become, asked, ended].flatMap((each) =>
    each.status === 'rejected' ? [each.reason as unknown] : [],
  );
  // A broken connection must be known as such, whatever else went wrong before it broke.
  if (failures.length > 0) throw failures.find(isBroken) ?? failures[0];
  return asked.status === 'fulfilled' ? asked.value : [];
}
