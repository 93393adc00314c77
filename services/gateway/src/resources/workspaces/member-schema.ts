import { Type, type Static } from 'typebox';
import { closed } from '../../http/schemas/fields.ts';

const userIdsMax = 100;

export const membershipView = Type.Object({
  id: Type.String(),
  workspace_id: Type.String(),
  user_id: Type.String(),
  role: Type.Enum(['admin', 'member'] as const, { type: 'string' }),
  created_at: Type.String(),
});
export type MembershipView = Static<typeof membershipView>;

export const membershipListReply = Type.Object({
  data: Type.Array(membershipView),
  total_count: Type.Integer(),
});
export const membersAddedReply = Type.Object({
  added_count: Type.Integer(),
  data: Type.Array(membershipView),
});
export const membersRemovedReply = Type.Object({ removed_count: Type.Integer() });

export const userIdsBody = Type.Object(
  {
    user_ids: Type.Array(
      Type.String({ pattern: '^[A-Za-z0-9_-]{1,128}$', mustBe: 'the id of a user' }),
      { minItems: 1, maxItems: userIdsMax, mustBe: `1 to ${userIdsMax} ids of users` },
    ),
  },
  { ...closed, examples: [{ user_ids: ['user_2'] }] },
);
