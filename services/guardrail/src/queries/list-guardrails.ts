import { type AccountReads, type Page, readPage } from '@sluice/read-model';
import { guardrailColumns, type GuardrailRow } from './guardrail-row.ts';

export interface ListGuardrails {
  readonly accountId: string;
  readonly workspaceId: string;
  readonly offset: number;
  readonly limit: number;
}

/** Reads a page of the guardrails that are kept in the workspace or in none, newest first. */
export async function listGuardrails(
  readModel: AccountReads,
  { accountId, workspaceId, ...page }: ListGuardrails,
): Promise<Page<GuardrailRow>> {
  return await readPage(readModel.forAccount(accountId), {
    ...page,
    name: 'guardrails',
    columns: guardrailColumns,
    from: 'guardrails WHERE account_id = $1 AND (workspace_id = $2 OR workspace_id IS NULL)',
    orderBy: 'created_at DESC, guardrail_id DESC',
    values: [accountId, workspaceId],
  });
}
