import { Fault } from '@sluice/errors';
import type { AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import type { KeyServiceService } from '@sluice/protos/sluice/key/v1/key';
import type { WorkspaceServiceService } from '@sluice/protos/sluice/workspace/v1/workspace';
import type { Calls } from '@sluice/rpc';
import type { Directory } from '../commands/directory.ts';

export interface DirectoryClients {
  readonly accounts: Pick<Calls<AccountServiceService>, 'getAccount' | 'getMembers'>;
  readonly workspaces: Pick<Calls<WorkspaceServiceService>, 'getWorkspace' | 'listWorkspaces'>;
  readonly keys: Pick<Calls<KeyServiceService>, 'getKeys'>;
}

const pageRows = 100;

/** Asks the services that own accounts, workspaces and keys. */
export function rpcDirectory({ accounts, workspaces, keys }: DirectoryClients): Directory {
  async function defaultWorkspaceId(accountId: string): Promise<string> {
    const { account } = await accounts.getAccount({ accountId });
    if (!account) throw new Fault('not_found');
    return account.defaultWorkspaceId;
  }
  return {
    defaultWorkspaceId,
    async workspaceExists(accountId, workspaceId) {
      try {
        return (await workspaces.getWorkspace({ accountId, workspaceId })).workspace !== undefined;
      } catch (error) {
        if (error instanceof Fault && error.code === 'not_found') return false;
        throw error;
      }
    },
    async *workspaceIds(accountId) {
      for (let offset = 0; ; offset += pageRows) {
        const page = await workspaces.listWorkspaces({ accountId, offset, limit: pageRows });
        yield page.workspaces.map(({ workspaceId }) => workspaceId);
        if (offset + pageRows >= page.totalCount) return;
      }
    },
    async findKeys(accountId, hashes) {
      const found = await keys.getKeys({ accountId, hashes: [...hashes] });
      return found.keys.map(({ hash, label, name, workspaceId }) => ({
        hash,
        label,
        name,
        workspaceId,
      }));
    },
    async findMembers(accountId, userIds) {
      const { members } = await accounts.getMembers({ accountId, userIds: [...userIds] });
      return members.filter(({ isActive }) => isActive).map(({ userId }) => userId);
    },
  };
}
