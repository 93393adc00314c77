import { Fault } from '@sluice/errors';
import type { CommandContext } from '@sluice/protos/sluice/context/v1/context';
import type { WorkspaceServiceService } from '@sluice/protos/sluice/workspace/v1/workspace';
import type { Calls } from '@sluice/rpc';
import type { WorkspaceChange, Workspaces } from '../commands/workspaces.ts';

export type WorkspaceCalls = Pick<
  Calls<typeof WorkspaceServiceService>,
  'getWorkspace' | 'setDirectoryMemberships' | 'keepDirectoryMembers'
>;

/** Calls the service that owns workspaces. */
export function rpcWorkspaces(calls: WorkspaceCalls): Workspaces {
  return {
    async workspaceExists(accountId, workspaceId) {
      try {
        const { workspace } = await calls.getWorkspace({ accountId, workspaceId });
        return workspace !== undefined;
      } catch (error) {
        if (error instanceof Fault && error.code === 'not_found') return false;
        throw error;
      }
    },
    async setDirectoryMemberships(change, memberships) {
      const { workspaceId } = change;
      const all = memberships.map(({ userId, role }) => ({ userId, role }));
      await calls.setDirectoryMemberships({
        context: contextOf(change),
        workspaceId,
        memberships: all,
      });
    },
    async keepDirectoryMembers(change, userIds) {
      const { workspaceId } = change;
      const context = contextOf(change);
      await calls.keepDirectoryMembers({ context, workspaceId, userIds: [...userIds] });
    },
  };
}

function contextOf({ accountId, commandId }: WorkspaceChange): CommandContext {
  return {
    commandId,
    requestId: `directory-${commandId}`,
    accountId,
    actorType: 'system',
    actorId: 'directory',
    traceparent: '',
  };
}
