import { mayBecomeTenant, tenantRole } from './setup/tenant-role.ts';
import type { Queryable } from './statement.ts';

/** The policy of every table with an account id. */
export const policyName = 'own_account';

/**
 * Creates the role, once per cluster. Other processes may create it at the same time, and CREATE ROLE has no IF
 * NOT EXISTS. A user without CREATEROLE needs an administrator to create and grant the role.
 */
export async function ensureTenantRole(transaction: Queryable, schema: string): Promise<void> {
  const text = `
    DO $$ BEGIN
      IF to_regrole('${tenantRole}') IS NULL THEN
        CREATE ROLE ${tenantRole} NOLOGIN NOINHERIT;
      END IF;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END $$;
    DO $$ BEGIN
      IF NOT ${mayBecomeTenant} THEN
        EXECUTE format('GRANT ${tenantRole} TO %I', current_user);
      END IF;
    EXCEPTION WHEN unique_violation THEN NULL;
    END $$;
    GRANT USAGE ON SCHEMA "${schema}" TO ${tenantRole};`;
  await transaction.query({ text, values: [] });
}

/**
 * Gives every table of the schema that has an account id its policy, and lets the role read it. To the
 * role all other tables are closed. Locks nothing where nothing is to do. The tables take both along
 * when a rebuild moves them.
 */
export async function secureRows(transaction: Queryable): Promise<void> {
  const open = await transaction.query<{ name: string }>({
    text: `SELECT format('%I', relname) AS name
           FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
           WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
             AND attname = 'account_id' AND NOT attisdropped
             AND NOT (relrowsecurity AND EXISTS (
               SELECT FROM pg_policy WHERE polrelid = pg_class.oid AND polname = $1))`,
    values: [policyName],
  });
  for (const { name } of open)
    await transaction.query({
      text: `ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY;
             DROP POLICY IF EXISTS ${policyName} ON ${name};
             CREATE POLICY ${policyName} ON ${name} FOR SELECT TO ${tenantRole}
               USING (account_id = current_setting('sluice.account_id', true));
             GRANT SELECT ON ${name} TO ${tenantRole};`,
      values: [],
    });
}
