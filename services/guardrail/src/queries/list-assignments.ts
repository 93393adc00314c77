import { type AccountReads, type Page, readPage } from '@sluice/read-model';

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

const columns = `assignment_id AS "assignmentId", guardrail_id AS "guardrailId",
  assigned_by AS "assignedBy", created_at AS "createdAt"`;
const matching = 'WHERE account_id = $1 AND ($2::uuid IS NULL OR guardrail_id = $2)';
const orderBy = 'created_at DESC, assignment_id DESC';

/** Lists which keys have a guardrail, newest first. */
export async function listKeyAssignments(
  readModel: AccountReads,
  { accountId, guardrailId, ...page }: ListAssignments,
): Promise<Page<KeyAssignmentRow>> {
  return await readPage(readModel.forAccount(accountId), {
    ...page,
    name: 'key-assignments',
    columns: `${columns}, key_hash AS "keyHash", key_label AS "keyLabel"`,
    from: `key_assignments ${matching}`,
    orderBy,
    values: [accountId, guardrailId],
  });
}

/** Lists which members have a guardrail, newest first. */
export async function listMemberAssignments(
  readModel: AccountReads,
  { accountId, guardrailId, ...page }: ListAssignments,
): Promise<Page<MemberAssignmentRow>> {
  return await readPage(readModel.forAccount(accountId), {
    ...page,
    name: 'member-assignments',
    columns: `${columns}, user_id AS "userId"`,
    from: `member_assignments ${matching}`,
    orderBy,
    values: [accountId, guardrailId],
  });
}
