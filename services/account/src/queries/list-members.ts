import { type AccountReads, type Page, readPage } from '@sluice/read-model';
import { memberColumns, type MemberRow } from './member-row.ts';

/** Lists the active members of an organization, in the order in which they joined. */
export async function listMembers(
  readModel: AccountReads,
  page: { readonly accountId: string; readonly offset: number; readonly limit: number },
): Promise<Page<MemberRow>> {
  return await readPage(readModel.forAccount(page.accountId), {
    ...page,
    name: 'members',
    columns: memberColumns,
    from: 'members WHERE account_id = $1 AND is_active',
    orderBy: 'joined_at, user_id',
    values: [page.accountId],
  });
}
