import type { AccountReads } from '@sluice/read-model';
import { memberColumns, type MemberRow } from './member-row.ts';

export interface MemberPage {
  readonly members: readonly MemberRow[];
  /** The number of rows of all pages. */
  readonly totalCount: number;
}

/** Lists the active members of an organization, in the order in which they joined. */
export async function listMembers(
  readModel: AccountReads,
  page: { readonly accountId: string; readonly offset: number; readonly limit: number },
): Promise<MemberPage> {
  const { accountId, offset, limit } = page;
  const members = await readModel.forAccount(accountId).query<MemberRow>({
    name: 'list-members',
    text: `SELECT ${memberColumns} FROM members WHERE account_id = $1 AND is_active
           ORDER BY joined_at, user_id OFFSET $2 LIMIT $3`,
    values: [accountId, offset, limit],
  });
  const [counted] = await readModel.forAccount(accountId).query<{ total: number }>({
    name: 'count-members',
    text: 'SELECT count(*)::int AS total FROM members WHERE account_id = $1 AND is_active',
    values: [accountId],
  });
  return { members, totalCount: counted?.total ?? 0 };
}
