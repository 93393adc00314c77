/**
 * Role for reads of one account at a time. It owns nothing and cannot log in; services switch to it for
 * a statement. Writers (projectors, reactions, the ledger) are the owner of the tables, to whom
 * policies do not apply.
 */
export const tenantRole = 'sluice_tenant';

/**
 * The SQL expression that is true if the user of the connection may become the role. Since PostgreSQL 16, membership
 * does not suffice: a user that made the role without being a superuser may only administer it.
 */
export const mayBecomeTenant = `coalesce(pg_has_role(current_user, to_regrole('${tenantRole}')::oid,
  CASE WHEN current_setting('server_version_num')::integer >= 160000 THEN 'SET' ELSE 'MEMBER' END), false)`;
