import type { AccountReads } from '@sluice/read-model';

/** Returns when a key of the account was last used, to the minute. undefined: never. */
export async function findKeyUse(
  readModel: AccountReads,
  { accountId, hash }: { readonly accountId: string; readonly hash: string },
): Promise<Date | undefined> {
  const [row] = await readModel.forAccount(accountId).query<{ lastUsedAt: Date }>({
    name: 'find-key-use',
    text: `SELECT last_used_at AS "lastUsedAt" FROM key_uses WHERE account_id = $1 AND key_hash = $2`,
    values: [accountId, hash],
  });
  return row?.lastUsedAt;
}
