import type { Queryable } from '@sluice/read-model';

/** The ids of all guardrails that are kept in the workspace, its default one among them. */
export async function guardrailsOfWorkspace(
  readModel: Queryable,
  { accountId, workspaceId }: { readonly accountId: string; readonly workspaceId: string },
): Promise<readonly string[]> {
  const rows = await readModel.query<{ guardrailId: string }>({
    name: 'guardrails-of-workspace',
    text: `SELECT guardrail_id AS "guardrailId" FROM guardrails
           WHERE account_id = $1 AND workspace_id = $2`,
    values: [accountId, workspaceId],
  });
  return rows.map(({ guardrailId }) => guardrailId);
}
