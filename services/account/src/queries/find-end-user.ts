import type { AccountReads } from '@sluice/read-model';
import { endUserColumns, type EndUserRow } from './end-user-row.ts';

/** The registration, active or not; undefined when the organization has none of that user. */
export async function findEndUser(
  readModel: AccountReads,
  { accountId, user }: { readonly accountId: string; readonly user: string },
): Promise<EndUserRow | undefined> {
  const [row] = await readModel.forAccount(accountId).query<EndUserRow>({
    name: 'find-end-user',
    text: `SELECT ${endUserColumns} FROM end_users WHERE account_id = $1 AND end_user = $2`,
    values: [accountId, user],
  });
  return row;
}
