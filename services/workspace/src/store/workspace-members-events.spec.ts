import { join } from 'node:path';
import fc from 'fast-check';
import { storedEventsSpecification } from '@sluice/es/testing';
import { workspaceMembers } from '../domain/workspace-members/decide.ts';
import { workspaceMembersEvents } from './workspace-members-events.ts';

const role = fc.option(fc.constantFrom('admin', 'member'), { nil: null });
const member = {
  accountId: fc.string(),
  workspaceId: fc.uuid(),
  userId: fc.string(),
  changedAt: fc.string(),
};
const sourced = <Type extends string>(type: Type) =>
  fc.record({
    type: fc.constant(type),
    data: fc.record({ ...member, manualRole: role, directoryRole: role }),
  });

storedEventsSpecification({
  codec: workspaceMembersEvents,
  decider: workspaceMembers,
  goldenDirectory: join(import.meta.dirname, '../domain/workspace-members/golden'),
  events: {
    WorkspaceMemberAdded: sourced('WorkspaceMemberAdded'),
    WorkspaceMemberRoleChanged: sourced('WorkspaceMemberRoleChanged'),
    WorkspaceMemberSourcesChanged: sourced('WorkspaceMemberSourcesChanged'),
    WorkspaceMemberRemoved: fc.record({
      type: fc.constant('WorkspaceMemberRemoved' as const),
      data: fc.record(member),
    }),
  },
});
