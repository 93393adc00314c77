import type { AccountReads } from '@sluice/read-model';
import { workspaceColumns, type WorkspaceRow } from './workspace-row.ts';

export interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** A page of the account's workspaces: the default one first, then as they were made. */
export async function listWorkspaces(
  readModel: AccountReads,
  { accountId, offset, limit }: Page & { readonly accountId: string },
): Promise<readonly WorkspaceRow[]> {
  return await readModel.forAccount(accountId).query<WorkspaceRow>({
    name: 'list-workspaces',
    text: `SELECT ${workspaceColumns} FROM workspaces WHERE account_id = $1
           ORDER BY is_default DESC, created_at, workspace_id LIMIT $3 OFFSET $2`,
    values: [accountId, offset, limit],
  });
}

export async function countWorkspaces(readModel: AccountReads, accountId: string): Promise<number> {
  const [row] = await readModel.forAccount(accountId).query<{ count: bigint }>({
    name: 'count-workspaces',
    text: 'SELECT count(*) FROM workspaces WHERE account_id = $1',
    values: [accountId],
  });
  return Number(row?.count ?? 0n);
}
