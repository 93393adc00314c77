import { type AccountReads, type Page, readPage } from '@sluice/read-model';
import { endUserColumns, type EndUserRow } from './end-user-row.ts';

export interface EndUserQuestion {
  readonly accountId: string;
  /** null: all. */
  readonly user: string | null;
  readonly includeInactive: boolean;
  readonly offset: number;
  readonly limit: number;
}

/** Lists the registered end users of an organization, by code point. */
export async function listEndUsers(
  readModel: AccountReads,
  { accountId, user, includeInactive, ...page }: EndUserQuestion,
): Promise<Page<EndUserRow>> {
  return await readPage(readModel.forAccount(accountId), {
    ...page,
    name: 'end-users',
    columns: endUserColumns,
    from: `end_users
      WHERE account_id = $1 AND ($2::text IS NULL OR end_user = $2) AND (is_active OR $3)`,
    orderBy: 'end_user',
    values: [accountId, user, includeInactive],
  });
}
