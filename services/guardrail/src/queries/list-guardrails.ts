import type { AccountReads } from '@sluice/read-model';
import { guardrailColumns, type GuardrailRow } from './guardrail-row.ts';

export interface ListGuardrails {
  readonly accountId: string;
  readonly workspaceId: string;
  readonly offset: number;
  readonly limit: number;
}

const ofWorkspace = 'account_id = $1 AND (workspace_id = $2 OR workspace_id IS NULL)';

/** A page of the guardrails that are kept in the workspace or in none, newest first. */
export async function listGuardrails(
  readModel: AccountReads,
  { accountId, workspaceId, offset, limit }: ListGuardrails,
): Promise<readonly GuardrailRow[]> {
  return await readModel.forAccount(accountId).query<GuardrailRow>({
    name: 'list-guardrails',
    text: `SELECT ${guardrailColumns} FROM guardrails WHERE ${ofWorkspace}
           ORDER BY created_at DESC, guardrail_id DESC LIMIT $3 OFFSET $4`,
    values: [accountId, workspaceId, limit, offset],
  });
}

/** Counts the guardrails of all pages. */
export async function countGuardrails(
  readModel: AccountReads,
  { accountId, workspaceId }: Pick<ListGuardrails, 'accountId' | 'workspaceId'>,
): Promise<number> {
  const [row] = await readModel.forAccount(accountId).query<{ count: bigint }>({
    name: 'count-guardrails',
    text: `SELECT count(*) AS count FROM guardrails WHERE ${ofWorkspace}`,
    values: [accountId, workspaceId],
  });
  return Number(row?.count ?? 0);
}
