import type { Database } from '../database.ts';
import type { Statement } from '../statement.ts';

const filter = /\b(?:\w+\.)?account_id = (\$\d+)/g;

/**
 * The database as a service would ask it that forgets to say for which account: its statements have
 * no condition on account_id any more. What is still kept apart, row-level security keeps apart.
 */
export function withoutAccountFilters(database: Database): Database {
  const forgetful = ({ text, values }: Statement): Statement => ({
    text: text.replaceAll(
      filter,
      (_filter, parameter: string) => `(${parameter}::text IS NOT NULL)`,
    ),
    values,
  });
  return {
    ...database,
    query: (statement) => database.query(forgetful(statement)),
    forAccount(accountId) {
      const account = database.forAccount(accountId);
      return { accountId, query: (statement) => account.query(forgetful(statement)) };
    },
  };
}

/** The database without row-level security: what is asked for an account is asked by the owner. */
export function withoutPolicies(database: Database): Database {
  const query: Database['query'] = (statement) => database.query(statement);
  return { ...database, forAccount: (accountId) => ({ accountId, query }) };
}
