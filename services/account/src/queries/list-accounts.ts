import { type Page, type Queryable, readPage } from '@sluice/read-model';
import { accountColumns, type AccountRow } from './find-account.ts';

/** Reads a page of the accounts of the installation, those opened first first. Only the operator may ask. */
export async function listAccounts(
  database: Queryable,
  page: { readonly offset: number; readonly limit: number },
): Promise<Page<AccountRow>> {
  return await readPage(database, {
    ...page,
    name: 'accounts',
    columns: accountColumns,
    from: 'accounts',
    orderBy: 'created_at, account_id',
    values: [],
  });
}
