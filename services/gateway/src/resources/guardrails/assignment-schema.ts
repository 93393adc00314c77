import { Type, type Static } from 'typebox';
import { hash, uuid } from '../../http/schemas/examples.ts';
import { closed, createdAt, nullable, text, whole } from '../../http/schemas/fields.ts';
import { pageFields } from '../../http/schemas/page.ts';
import { pageReply } from '../../http/schemas/replies.ts';

const assigneesMax = 100;
const handleLengthMax = 128;

export const listAssignmentsQuery = Type.Object(pageFields, closed);

const handles = (of: string, description: string, example: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: handleLengthMax }), {
    minItems: 1,
    maxItems: assigneesMax,
    mustBe: `1 to ${assigneesMax} ${of}`,
    description,
    examples: [[example]],
  });
export const keyHashesBody = Type.Object(
  { key_hashes: handles('hashes of keys', 'Hashes of the keys.', hash) },
  closed,
);
export const memberUserIdsBody = Type.Object(
  { member_user_ids: handles('ids of users', 'Ids of members.', 'user_1') },
  closed,
);
export const assignedReply = Type.Object({
  assigned_count: whole('Number of assignments that were made.', 2),
});
export const unassignedReply = Type.Object({
  unassigned_count: whole('Number of assignments that were ended.', 2),
});

const assignment = {
  id: text('Id of the assignment.', uuid),
  guardrail_id: text('Id of the guardrail.', uuid),
};
const made = {
  assigned_by: nullable(
    text('Id of the user who assigned it; null: it came with a key.', 'user_1'),
  ),
  created_at: createdAt,
};
export const keyAssignmentView = Type.Object({
  ...assignment,
  key_hash: text('Hash of the key.', hash),
  key_name: text('The name of the key.', 'Nightly reports'),
  key_label: text('The first and last characters of the secret.', 'sk-sluice-v1-abc...xyz'),
  ...made,
});
export const memberAssignmentView = Type.Object({
  ...assignment,
  user_id: text('Id of the user.', 'user_1'),
  organization_id: text('Id of the organization.', 'org_1'),
  ...made,
});
export type KeyAssignmentView = Static<typeof keyAssignmentView>;
export type MemberAssignmentView = Static<typeof memberAssignmentView>;
export const keyAssignmentListReply = pageReply(keyAssignmentView);
export const memberAssignmentListReply = pageReply(memberAssignmentView);
