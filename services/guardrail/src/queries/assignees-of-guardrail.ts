import type { Queryable } from '@sluice/read-model';

/** Returns the keys and members with the guardrail, to unassign it from all of them. */
export async function assigneesOfGuardrail(
  readModel: Queryable,
  guardrailId: string,
): Promise<{ readonly keyHashes: readonly string[]; readonly userIds: readonly string[] }> {
  const keys = await readModel.query<{ keyHash: string }>({
    name: 'keys-of-guardrail',
    text: 'SELECT key_hash AS "keyHash" FROM key_assignments WHERE guardrail_id = $1',
    values: [guardrailId],
  });
  const members = await readModel.query<{ userId: string }>({
    name: 'members-of-guardrail',
    text: 'SELECT DISTINCT user_id AS "userId" FROM member_assignments WHERE guardrail_id = $1',
    values: [guardrailId],
  });
  return {
    keyHashes: keys.map(({ keyHash }) => keyHash),
    userIds: members.map(({ userId }) => userId),
  };
}
