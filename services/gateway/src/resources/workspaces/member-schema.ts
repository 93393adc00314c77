import { Type, type Static } from 'typebox';
import { uuid } from '../../http/schemas/examples.ts';
import { closed, createdAt, oneOf, text, whole } from '../../http/schemas/fields.ts';
import { listReply, pageReply } from '../../http/schemas/replies.ts';

const userIdsMax = 100;

export const membershipView = Type.Object({
  id: text('Id of the membership.', uuid),
  workspace_id: text('Id of the workspace.', uuid),
  user_id: text('Id of the user.', 'user_1'),
  role: oneOf(['admin', 'member'], 'What a member may do.', 'member'),
  created_at: createdAt,
});
export type MembershipView = Static<typeof membershipView>;

export const membershipListReply = pageReply(membershipView);
export const membersAddedReply = Type.Object({
  added_count: whole('Number of members that were added.', 2),
  ...listReply(membershipView).properties,
});
export const membersRemovedReply = Type.Object({
  removed_count: whole('Number of members that were removed.', 2),
});

export const userIdsBody = Type.Object(
  {
    user_ids: Type.Array(
      Type.String({ pattern: '^[A-Za-z0-9_-]{1,128}$', mustBe: 'the id of a user' }),
      {
        minItems: 1,
        maxItems: userIdsMax,
        mustBe: `1 to ${userIdsMax} ids of users`,
        description: `Ids of users: 1 to ${userIdsMax}.`,
        examples: [['user_2']],
      },
    ),
  },
  { ...closed, examples: [{ user_ids: ['user_2'] }] },
);
