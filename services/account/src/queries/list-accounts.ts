import type { Queryable } from '@sluice/read-model';
import { accountColumns, type AccountRow } from './find-account.ts';

export interface AccountPage {
  readonly accounts: readonly AccountRow[];
  /** The number of rows of all pages. */
  readonly totalCount: number;
}

/** Reads a page of the accounts of the installation, those opened first first. Only the operator may ask. */
export async function listAccounts(
  database: Queryable,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<AccountPage> {
  const accounts = await database.query<AccountRow>({
    name: 'list-accounts',
    text: `SELECT ${accountColumns} FROM accounts
           ORDER BY created_at, account_id OFFSET $1 LIMIT $2`,
    values: [offset, limit],
  });
  const [counted] = await database.query<{ total: number }>({
    name: 'count-accounts',
    text: 'SELECT count(*)::int AS total FROM accounts',
    values: [],
  });
  return { accounts, totalCount: counted?.total ?? 0 };
}
