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

/** The log is away, late, or another one. */
const withoutLog: ReadonlySet<string> = new Set([
  'event_store_diverged',
  'event_store_unavailable',
  'timeout',
  'unavailable',
]);

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
        return (await workspaces.getWorkspaceStatus({ accountId, workspaceId })).isAlive;
      } catch (error) {
        // Questions go on while the event store is away. A command then fails at its own append.
        if (!(error instanceof Fault) || !withoutLog.has(error.code)) throw error;
        return await isShown(workspaces, { accountId, workspaceId });
      }
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

async function isShown(
  workspaces: Pick<DirectoryClients['workspaces'], 'getWorkspace'>,
  asked: { readonly accountId: string; readonly workspaceId: string },
): Promise<boolean> {
  try {
    return (await workspaces.getWorkspace(asked)).workspace !== undefined;
  } catch (error) {
    if (error instanceof Fault && error.code === 'not_found') return false;
    throw error;
  }
}
