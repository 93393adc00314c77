import type { AccountReads } from '@sluice/read-model';

export interface EveryMemberRow {
  readonly userId: string;
  readonly email: string;
  readonly isActive: boolean;
  readonly deactivatedBy: string | null;
}

/** Lists the present and former members of an organization. */
export async function listAllMembers(
  readModel: AccountReads,
  accountId: string,
): Promise<readonly EveryMemberRow[]> {
  return readModel.forAccount(accountId).query<EveryMemberRow>({
    name: 'list-all-members',
    text: `SELECT user_id AS "userId", email, is_active AS "isActive",
                  deactivated_by AS "deactivatedBy"
           FROM members WHERE account_id = $1 ORDER BY user_id`,
    values: [accountId],
  });
}
