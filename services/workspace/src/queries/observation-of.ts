import type { AccountReads } from '@sluice/read-model';

/** The words of the protocol: what destinations want to know of generations, beside their usage facts. */
export type Observation = '' | 'ends' | 'contents';

/** Returns what the enabled destinations of a workspace want, if it broadcasts. */
export async function observationOf(
  readModel: AccountReads,
  { accountId, workspaceId }: { readonly accountId: string; readonly workspaceId: string },
): Promise<Observation> {
  const [row] = await readModel.forAccount(accountId).query<{ readonly isPrivate: boolean }>({
    name: 'observation-of-workspace',
    text: `SELECT bool_and(privacy_mode) AS "isPrivate" FROM destinations
           WHERE account_id = $1 AND workspace_id = $2 AND enabled HAVING count(*) > 0`,
    values: [accountId, workspaceId],
  });
  if (!row) return '';
  return row.isPrivate ? 'ends' : 'contents';
}
