import { event, type EventOf, instant, nullable, type Shape } from '@sluice/es';
import { Type } from 'typebox';

const workspaceRole = Type.Enum(['admin', 'member']);
export type WorkspaceRole = Shape<typeof workspaceRole>;

/** The role that each source gives to a member. The higher role counts. */
const sources = Type.Object({
  manualRole: nullable(workspaceRole, 'The role that people gave, by the API; null: none.'),
  directoryRole: nullable(
    workspaceRole,
    'The role that the directory of the organization gave; null: none. The higher role counts.',
  ),
});
export type MemberSources = Shape<typeof sources>;

/** Names the account of the workspace. Each event has it, so that no event needs another one to be understood. */
const member = {
  accountId: Type.String(),
  workspaceId: Type.String(),
  userId: Type.String(),
  changedAt: instant,
};
const memberWithSources = { ...member, ...sources.properties };

/** The events of the members of a workspace. Names and shapes are the storage format. */
export const workspaceMembersStream = {
  category: 'workspaceMembers',
  id: '<workspace id>',
  description: 'The members of a workspace.',
  events: {
    WorkspaceMemberAdded: event('A user got access to the workspace.', memberWithSources),
    WorkspaceMemberRoleChanged: event(
      'A member became an admin, or no longer is one.',
      memberWithSources,
    ),
    WorkspaceMemberSourcesChanged: event(
      'The role stayed; by whom the member has it changed.',
      memberWithSources,
    ),
    WorkspaceMemberRemoved: event('A user lost access to the workspace.', member),
  },
};
export type WorkspaceMembersEvent = EventOf<typeof workspaceMembersStream>;
export type WorkspaceMemberRemoved = EventOf<
  typeof workspaceMembersStream,
  'WorkspaceMemberRemoved'
>;
