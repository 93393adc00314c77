import { type AccountReads, parseFoldedState } from '@sluice/read-model';

/** The folded state of the account's workspace; undefined when the read model holds none of that id. */
export async function findWorkspaceState(
  readModel: AccountReads,
  { accountId, workspaceId }: { readonly accountId: string; readonly workspaceId: string },
): Promise<unknown> {
  const [row] = await readModel.forAccount(accountId).query<{ state: string }>({
    name: 'find-workspace-state',
    text: `SELECT state::text AS state FROM workspace_states WHERE account_id = $1 AND id = $2`,
    values: [accountId, workspaceId],
  });
  return row && parseFoldedState(row.state);
}
