import { event, type EventOf, instant, nullable, type Shape } from '@sluice/es';
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
    MemberJoined: event('A user belongs to an organization from now on.', {
      ...member,
      email: Type.String(),
      firstName: nullable(Type.String()),
      lastName: nullable(Type.String()),
      role: memberRole,
      joinedAt: instant,
    }),
    MemberRoleChanged: event('A member may do more or less in the organization from now on.', {
      ...member,
      role: memberRole,
      changedAt: instant,
    }),
    MemberDeactivated: event('A user is no longer a member. The things that the user made stay.', {
      ...member,
      deactivatedBy: deactivator,
      deactivatedAt: instant,
    }),
    MemberReactivated: event('A user is a member again, with the role of before.', {
      ...member,
      reactivatedAt: instant,
    }),
  },
};
export type MemberEvent = EventOf<typeof memberStream>;
export type MemberJoined = EventOf<typeof memberStream, 'MemberJoined'>;
export type MemberRoleChanged = EventOf<typeof memberStream, 'MemberRoleChanged'>;
