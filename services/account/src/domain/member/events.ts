import { type EventOf, instant, nullable, type Shape } from '@sluice/es';
import { Type } from 'typebox';

const memberRole = Type.Enum(['admin', 'member']);
export type MemberRole = Shape<typeof memberRole>;

const deactivator = Type.Enum(['administrator', 'directory'], {
  description:
    'The actor that ended the membership. The directory reactivates only members that it deactivated.',
});
export type Deactivator = Shape<typeof deactivator>;

const member = { accountId: Type.String(), userId: Type.String() };

/** The events of a member of an organization. Names and shapes are the storage format. */
export const memberStream = {
  category: 'member',
  id: '<account id>.<user id>',
  description: 'The membership of a user in an organization.',
  events: {
    MemberJoined: Type.Object(
      {
        ...member,
        email: Type.String(),
        firstName: nullable(Type.String()),
        lastName: nullable(Type.String()),
        role: memberRole,
        joinedAt: instant,
      },
      { description: 'A user belongs to an organization from now on.' },
    ),
    MemberRoleChanged: Type.Object(
      { ...member, role: memberRole, changedAt: instant },
      { description: 'A member may do more or less in the organization from now on.' },
    ),
    MemberDeactivated: Type.Object(
      { ...member, deactivatedBy: deactivator, deactivatedAt: instant },
      { description: 'A user is no longer a member. The things that the user made stay.' },
    ),
    MemberReactivated: Type.Object(
      { ...member, reactivatedAt: instant },
      { description: 'A user is a member again, with the role of before.' },
    ),
  },
};
export type MemberEvent = EventOf<typeof memberStream>;
export type MemberJoined = EventOf<typeof memberStream, 'MemberJoined'>;
export type MemberRoleChanged = EventOf<typeof memberStream, 'MemberRoleChanged'>;
