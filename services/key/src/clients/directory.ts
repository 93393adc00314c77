import { Fault } from '@sluice/errors';
import { AccountKind, type AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import type { WorkspaceServiceService } from '@sluice/protos/sluice/workspace/v1/workspace';
import type { Calls } from '@sluice/rpc';
import type { Directory } from '../commands/directory.ts';

export interface DirectoryClients {
  readonly accounts: Pick<Calls<typeof AccountServiceService>, 'getAccount' | 'getMembers'>;
  readonly workspaces: Pick<
    Calls<typeof WorkspaceServiceService>,
    'getWorkspace' | 'getWorkspaceStatus' | 'getMemberships'
  >;
}

/** Asks the services that own accounts and workspaces. */
export function rpcDirectory({ accounts, workspaces }: DirectoryClients): Directory {
  return {
    async account(accountId) {
      const { account } = await accounts.getAccount({ accountId });
      if (!account) throw new Fault('not_found');
      const { kind, ownerUserId, defaultWorkspaceId } = account;
      const isPersonal = kind === AccountKind.ACCOUNT_KIND_PERSONAL;
      return { isPersonal, ownerUserId, defaultWorkspaceId };
    },
    async workspaceExists(accountId, workspaceId) {
      try {
        return (await workspaces.getWorkspace({ accountId, workspaceId })).workspace !== undefined;
      } catch (error) {
        if (error instanceof Fault && error.code === 'not_found') return false;
        throw error;
      }
    },
    async workspaceIsAlive(accountId, workspaceId) {
      return (await workspaces.getWorkspaceStatus({ accountId, workspaceId, userId: '' })).isAlive;
    },
    async workspaceHasMember(accountId, workspaceId, userId) {
      return (await workspaces.getWorkspaceStatus({ accountId, workspaceId, userId })).hasUser;
    },
    async members(accountId, userIds) {
      const { members } = await accounts.getMembers({ accountId, userIds: [...userIds] });
      return members.map(({ userId, isActive }) => ({ userId, isActive }));
    },
    async workspaceMembers(accountId, workspaceId, userIds) {
      const asked = { accountId, workspaceId, userIds: [...userIds] };
      const { memberships } = await workspaces.getMemberships(asked);
      return memberships.map(({ userId }) => userId);
    },
  };
}
