import { eventCodec } from '@sluice/es';
import type { WorkspaceMembersEvent } from '../domain/workspace-members/events.ts';

/** How the events of members lie in streams `workspaceMembers-<workspace id>`. */
export const workspaceMembersEvents = eventCodec<WorkspaceMembersEvent>({
  current: {
    WorkspaceMemberAdded: 1,
    WorkspaceMemberRoleChanged: 1,
    WorkspaceMemberSourcesChanged: 1,
    WorkspaceMemberRemoved: 1,
  },
});

export const workspaceMembersStreamPrefix = 'workspaceMembers-';
