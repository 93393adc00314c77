import type { Queryable } from '@sluice/read-model';
import type {
  GuardrailAssignedToKey,
  GuardrailUnassignedFromKey,
} from '../domain/key-guardrail/events.ts';
import type {
  GuardrailAssignedToMember,
  GuardrailUnassignedFromMember,
} from '../domain/member-guardrail/events.ts';

export async function assignToKey(
  transaction: Queryable,
  data: GuardrailAssignedToKey['data'],
): Promise<void> {
  await transaction.query({
    name: 'assign-to-key',
    text: `INSERT INTO key_assignments
             (key_hash, assignment_id, account_id, guardrail_id, key_label, assigned_by, created_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7)
           ON CONFLICT (key_hash) DO UPDATE SET
             assignment_id = excluded.assignment_id, guardrail_id = excluded.guardrail_id,
             key_label = excluded.key_label, assigned_by = excluded.assigned_by,
             created_at = excluded.created_at`,
    values: [
      data.keyHash,
      data.assignmentId,
      data.accountId,
      data.guardrailId,
      data.keyLabel,
      data.assignedBy,
      data.assignedAt,
    ],
  });
}

export async function assignToMember(
  transaction: Queryable,
  data: GuardrailAssignedToMember['data'],
): Promise<void> {
  await transaction.query({
    name: 'assign-to-member',
    text: `INSERT INTO member_assignments
             (account_id, user_id, workspace_id, assignment_id, guardrail_id, assigned_by, created_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7)
           ON CONFLICT (account_id, user_id, workspace_id) DO UPDATE SET
             assignment_id = excluded.assignment_id, guardrail_id = excluded.guardrail_id,
             assigned_by = excluded.assigned_by, created_at = excluded.created_at`,
    values: [
      data.accountId,
      data.userId,
      data.workspaceId ?? '',
      data.assignmentId,
      data.guardrailId,
      data.assignedBy,
      data.assignedAt,
    ],
  });
}

export async function unassignFromKey(
  transaction: Queryable,
  { keyHash }: GuardrailUnassignedFromKey['data'],
): Promise<void> {
  const text = 'DELETE FROM key_assignments WHERE key_hash = $1';
  await transaction.query({ name: 'unassign-from-key', text, values: [keyHash] });
}

export async function unassignFromMember(
  transaction: Queryable,
  { accountId, userId, workspaceId }: GuardrailUnassignedFromMember['data'],
): Promise<void> {
  await transaction.query({
    name: 'unassign-from-member',
    text: `DELETE FROM member_assignments
           WHERE account_id = $1 AND user_id = $2 AND workspace_id = $3`,
    values: [accountId, userId, workspaceId ?? ''],
  });
}
