import type { Queryable } from '../statement.ts';
import { SetupMissing } from './setup-missing.ts';
import { mayBecomeTenant, tenantRole } from './tenant-role.ts';

interface Rights {
  readonly user: string;
  readonly database: string;
  readonly isTenant: boolean;
  readonly mayMakeSchemas: boolean;
  /** True: the user may give itself what is missing. */
  readonly mayGrant: boolean;
}

/** The setup that only an administrator of PostgreSQL can give, and has not given yet. */
export interface MissingSetup {
  /** A sentence without its end. */
  readonly reason: string;
  /** The SQL that the administrator runs. It may be run again. */
  readonly sql: string;
}

/** Returns undefined if the services can create everything that is missing. */
export async function missingSetup(connection: Queryable): Promise<MissingSetup | undefined> {
  const [rights] = await connection.query<Rights>({
    text: `SELECT current_user AS "user", current_database() AS database, ${mayBecomeTenant} AS "isTenant",
             has_database_privilege(current_database(), 'CREATE') AS "mayMakeSchemas",
             rolsuper OR CASE WHEN to_regrole('${tenantRole}') IS NULL THEN rolcreaterole
               ELSE pg_has_role(current_user, to_regrole('${tenantRole}')::oid, 'USAGE WITH ADMIN OPTION')
             END AS "mayGrant"
           FROM pg_roles WHERE rolname = current_user`,
    values: [],
  });
  if (!rights) return undefined;
  const { user, database, isTenant, mayGrant, mayMakeSchemas } = rights;
  if ((isTenant || mayGrant) && mayMakeSchemas) return undefined;
  const reason = mayMakeSchemas
    ? `the user ${user} may not become the role ${tenantRole} and cannot make it`
    : `the user ${user} may not make schemas in the database ${database}`;
  return { reason, sql: setupSql(user, database) };
}

/** All that the services need of an administrator, for this user and this database. May be run again. */
export function setupSql(user: string, database: string): string {
  return [
    `DO $$ BEGIN CREATE ROLE ${tenantRole} NOLOGIN NOINHERIT;`,
    // If two administrators make it at the same time, the second one gets unique_violation.
    `EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;`,
    `GRANT ${tenantRole} TO ${quoted(user)};`,
    `GRANT CREATE ON DATABASE ${quoted(database)} TO ${quoted(user)};`,
  ].join('\n');
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Throws SetupMissing with the SQL to paste. */
export async function requireSetup(connection: Queryable): Promise<void> {
  const missing = await missingSetup(connection);
  if (!missing) return;
  const sql = missing.sql.replaceAll('\n', ' ');
  throw new SetupMissing(
    `${missing.reason}; have an administrator of PostgreSQL run (sluice doctor --sql): ${sql}`,
  );
}
