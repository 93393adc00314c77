import { Fault } from '@sluice/errors';
import type { AccountReads } from '@sluice/read-model';
import { guardrailColumns, type GuardrailRow } from './guardrail-row.ts';

/** Throws not_found where the account has no guardrail of that id, or not any more. */
export async function findGuardrail(
  readModel: AccountReads,
  { accountId, guardrailId }: { readonly accountId: string; readonly guardrailId: string },
): Promise<GuardrailRow> {
  const [row] = await readModel.forAccount(accountId).query<GuardrailRow>({
    name: 'find-guardrail',
    text: `SELECT ${guardrailColumns} FROM guardrails WHERE account_id = $1 AND guardrail_id = $2`,
    values: [accountId, guardrailId],
  });
  if (!row) throw new Fault('not_found', { message: 'There is no such guardrail' });
  return row;
}
