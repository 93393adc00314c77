import type { Queryable } from '@sluice/read-model';

export interface WorkspaceRow {
  readonly workspaceId: string;
  readonly accountId: string;
  readonly name: string;
  readonly slug: string;
  readonly isDefault: boolean;
  readonly createdAt: Date;
}

/** The workspace of that account; undefined when the account has none of that id. */
export async function findWorkspace(
  readModel: Queryable,
  { accountId, workspaceId }: { readonly accountId: string; readonly workspaceId: string },
): Promise<WorkspaceRow | undefined> {
  const [row] = await readModel.query<WorkspaceRow>({
    name: 'find-workspace',
    text: `SELECT workspace_id AS "workspaceId", account_id AS "accountId", name, slug,
                  is_default AS "isDefault", created_at AS "createdAt"
           FROM workspaces WHERE account_id = $1 AND workspace_id = $2`,
    values: [accountId, workspaceId],
  });
  return row;
}
