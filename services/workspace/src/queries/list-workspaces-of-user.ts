import type { AccountReads } from '@sluice/read-model';

/** The ids of all workspaces of the account that the user was added to. */
export async function listWorkspacesOfUser(
  readModel: AccountReads,
  { accountId, userId }: { readonly accountId: string; readonly userId: string },
): Promise<readonly string[]> {
  const rows = await readModel.forAccount(accountId).query<{ workspaceId: string }>({
    name: 'list-workspaces-of-user',
    text: `SELECT workspace_id AS "workspaceId" FROM workspace_members
           WHERE account_id = $1 AND user_id = $2 ORDER BY workspace_id`,
    values: [accountId, userId],
  });
  return rows.map(({ workspaceId }) => workspaceId);
}
