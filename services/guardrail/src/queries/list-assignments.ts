import type { AccountReads } from '@sluice/read-model';

export interface ListAssignments {
  readonly accountId: string;
  /** null: of all guardrails. */
  readonly guardrailId: string | null;
  readonly offset: number;
  readonly limit: number;
}

export interface AssignmentRow {
  readonly assignmentId: string;
  readonly guardrailId: string;
  readonly assignedBy: string | null;
  readonly createdAt: Date;
}

export interface KeyAssignmentRow extends AssignmentRow {
  readonly keyHash: string;
  readonly keyLabel: string;
}

export interface MemberAssignmentRow extends AssignmentRow {
  readonly userId: string;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** The number of rows of all pages. */
  readonly totalCount: number;
}

const columns = `assignment_id AS "assignmentId", guardrail_id AS "guardrailId",
  assigned_by AS "assignedBy", created_at AS "createdAt"`;
const matching = 'account_id = $1 AND ($2::uuid IS NULL OR guardrail_id = $2)';
const newestFirst = 'ORDER BY created_at DESC, assignment_id DESC LIMIT $3 OFFSET $4';

/** Which keys have a guardrail, newest first. */
export async function listKeyAssignments(
  readModel: AccountReads,
  { accountId, guardrailId, offset, limit }: ListAssignments,
): Promise<Page<KeyAssignmentRow>> {
  const rows = await readModel.forAccount(accountId).query<KeyAssignmentRow>({
    name: 'list-key-assignments',
    text: `SELECT ${columns}, key_hash AS "keyHash", key_label AS "keyLabel"
           FROM key_assignments WHERE ${matching} ${newestFirst}`,
    values: [accountId, guardrailId, limit, offset],
  });
  const [counted] = await readModel.forAccount(accountId).query<{ count: bigint }>({
    name: 'count-key-assignments',
    text: `SELECT count(*) AS count FROM key_assignments WHERE ${matching}`,
    values: [accountId, guardrailId],
  });
  return { rows, totalCount: Number(counted?.count ?? 0) };
}

/** Which members have a guardrail, newest first. */
export async function listMemberAssignments(
  readModel: AccountReads,
  { accountId, guardrailId, offset, limit }: ListAssignments,
): Promise<Page<MemberAssignmentRow>> {
  const rows = await readModel.forAccount(accountId).query<MemberAssignmentRow>({
    name: 'list-member-assignments',
    text: `SELECT ${columns}, user_id AS "userId"
           FROM member_assignments WHERE ${matching} ${newestFirst}`,
    values: [accountId, guardrailId, limit, offset],
  });
  const [counted] = await readModel.forAccount(accountId).query<{ count: bigint }>({
    name: 'count-member-assignments',
    text: `SELECT count(*) AS count FROM member_assignments WHERE ${matching}`,
    values: [accountId, guardrailId],
  });
  return { rows, totalCount: Number(counted?.count ?? 0) };
}
