import type { AccountReads } from '@sluice/read-model';
import { memberColumns, type MemberRow } from './member-row.ts';

/** Finds the users who are or were members of the organization, by user id. */
export async function findMembers(
  readModel: AccountReads,
  accountId: string,
  userIds: readonly string[],
): Promise<readonly MemberRow[]> {
  return readModel.forAccount(accountId).query<MemberRow>({
    name: 'find-members',
    text: `SELECT ${memberColumns} FROM members
           WHERE account_id = $1 AND user_id = ANY($2) ORDER BY user_id`,
    values: [accountId, userIds],
  });
}
