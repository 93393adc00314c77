import type { AccountReads } from '@sluice/read-model';
import { workspaceColumns, type WorkspaceRow } from './workspace-row.ts';

/** Names a workspace by its id or by its slug. The other one is null. */
export interface WorkspaceReference {
  readonly accountId: string;
  readonly workspaceId: string | null;
  readonly slug: string | null;
}

/** The workspace of that account; undefined when the account has none of that id or slug. */
export async function findWorkspace(
  readModel: AccountReads,
  { accountId, workspaceId, slug }: WorkspaceReference,
): Promise<WorkspaceRow | undefined> {
  const [row] = await readModel.forAccount(accountId).query<WorkspaceRow>({
    name: 'find-workspace',
    text: `SELECT ${workspaceColumns} FROM workspaces
           WHERE account_id = $1 AND (workspace_id = $2 OR slug = $3)`,
    values: [accountId, workspaceId, slug],
  });
  return row;
}
