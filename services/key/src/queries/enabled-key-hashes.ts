import type { AccountReads } from '@sluice/read-model';

export interface EnabledKeys {
  readonly accountId: string;
  /** null: in any workspace, management keys too, which are of none. */
  readonly workspaceId: string | null;
  /** null: every creator. */
  readonly creatorUserId: string | null;
}

/** The hashes of an account's keys that are not disabled: of a workspace, of a creator, or of both. */
export async function enabledKeyHashes(
  readModel: AccountReads,
  { accountId, workspaceId, creatorUserId }: EnabledKeys,
): Promise<readonly string[]> {
  const rows = await readModel.forAccount(accountId).query<{ hash: string }>({
    name: 'enabled-key-hashes',
    text: `SELECT hash FROM api_keys
           WHERE account_id = $1 AND NOT disabled
             AND ($2::uuid IS NULL OR (workspace_id = $2 AND kind = 'regular'))
             AND ($3::text IS NULL OR creator_user_id = $3)
           ORDER BY hash`,
    values: [accountId, workspaceId, creatorUserId],
  });
  return rows.map(({ hash }) => hash);
}
