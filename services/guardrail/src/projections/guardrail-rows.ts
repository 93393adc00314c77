import type { Queryable } from '@sluice/read-model';
import type { GuardrailUpdated } from '../domain/guardrail/events.ts';
import type { ConfiguredGuardrail } from '../domain/guardrail/state.ts';

export type NewGuardrail = Omit<ConfiguredGuardrail, 'status' | 'updatedAt'>;

export async function insertGuardrail(transaction: Queryable, data: NewGuardrail): Promise<void> {
  await transaction.query({
    name: 'insert-guardrail',
    text: `INSERT INTO guardrails
             (guardrail_id, account_id, workspace_id, is_default, name, description, policy, created_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
           ON CONFLICT (guardrail_id) DO NOTHING`,
    values: [
      data.guardrailId,
      data.accountId,
      data.workspaceId,
      data.isDefault,
      data.name,
      data.description,
      JSON.stringify(data.policy),
      data.createdAt,
    ],
  });
}

/** The members of the policy that are named take the place of those that were there. */
export async function updateGuardrail(
  transaction: Queryable,
  guardrailId: string,
  { changes, changedAt }: GuardrailUpdated['data'],
): Promise<void> {
  const { name, description, ...policy } = changes;
  await transaction.query({
    name: 'update-guardrail',
    text: `UPDATE guardrails
           SET name = coalesce($2, name),
               description = CASE WHEN $3 THEN $4 ELSE description END,
               policy = policy || $5::jsonb,
               updated_at = $6
           WHERE guardrail_id = $1`,
    values: [
      guardrailId,
      name ?? null,
      description !== undefined,
      description ?? null,
      JSON.stringify(policy),
      changedAt,
    ],
  });
}

export async function deleteGuardrail(transaction: Queryable, guardrailId: string): Promise<void> {
  const text = 'DELETE FROM guardrails WHERE guardrail_id = $1';
  await transaction.query({ name: 'delete-guardrail', text, values: [guardrailId] });
}
