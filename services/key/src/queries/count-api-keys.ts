import type { AccountReads } from '@sluice/read-model';

export interface CountApiKeys {
  readonly accountId: string;
  readonly workspaceId: string;
  /** Empty: every creator. */
  readonly creatorUserIds: readonly string[];
}

/** Counts the regular keys of the workspace. A management key belongs to the account, not to a workspace. */
export async function countApiKeys(
  readModel: AccountReads,
  { accountId, workspaceId, creatorUserIds }: CountApiKeys,
): Promise<bigint> {
  const [row] = await readModel.forAccount(accountId).query<{ count: bigint }>({
    name: 'count-api-keys',
    text: `SELECT count(*) FROM api_keys
           WHERE account_id = $1 AND workspace_id = $2 AND kind = 'regular'
             AND (cardinality($3::text[]) = 0 OR creator_user_id = ANY($3))`,
    values: [accountId, workspaceId, creatorUserIds],
  });
  return row?.count ?? 0n;
}
