import { Fault } from '@sluice/errors';
import { AccountKind, type AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import type { KeyServiceService } from '@sluice/protos/sluice/key/v1/key';
import type { Calls } from '@sluice/rpc';
import type { Directory } from '../commands/directory.ts';

export interface DirectoryClients {
  readonly accounts: Pick<
    Calls<typeof AccountServiceService>,
    'getAccount' | 'getMembers' | 'listMembers'
  >;
  readonly keys: Pick<Calls<typeof KeyServiceService>, 'beginClosing' | 'endClosing' | 'getKeys'>;
}

/** Keys that one call asks for. */
const askedMax = 100;

/** Asks the services that own accounts and keys. */
export function rpcDirectory({ accounts, keys }: DirectoryClients): Directory {
  async function accountOf(accountId: string) {
    const { account } = await accounts.getAccount({ accountId });
    if (!account) throw new Fault('not_found');
    return account;
  }
  return {
    async isOrganization(accountId) {
      return (await accountOf(accountId)).kind === AccountKind.ACCOUNT_KIND_ORGANIZATION;
    },
    async usesAlignment(accountId) {
      return (await accountOf(accountId)).isAlignmentEnabled;
    },
    async activeMembers(accountId, userIds) {
      if (userIds.length === 0) return [];
      const { members } = await accounts.getMembers({ accountId, userIds: [...userIds] });
      return members.filter(({ isActive }) => isActive).map(withRole);
    },
    async workspacesOfKeys(accountId, hashes) {
      const found = new Map<string, string>();
      for (let from = 0; from < hashes.length; from += askedMax) {
        const asked = { accountId, hashes: hashes.slice(from, from + askedMax) };
        for (const key of (await keys.getKeys(asked)).keys) found.set(key.hash, key.workspaceId);
      }
      return found;
    },
    async listMembers(accountId, { offset, limit }) {
      const { kind, ownerUserId } = await accountOf(accountId);
      if (kind !== AccountKind.ACCOUNT_KIND_ORGANIZATION) {
        const owner = { userId: ownerUserId, role: 'admin' } as const;
        return { members: offset === 0 ? [owner] : [], totalCount: 1 };
      }
      const { members, totalCount } = await accounts.listMembers({ accountId, offset, limit });
      return { members: members.map(withRole), totalCount };
    },
    async beginClosing(accountId, { workspaceId, creatorUserIds: creators }) {
      const asked = { accountId, workspaceId, creatorUserIds: [...creators] };
      const { keyCount, token } = await keys.beginClosing(asked);
      return { keyCount: Number(keyCount), token };
    },
    async endClosing(accountId, token) {
      await keys.endClosing({ accountId, token });
    },
  };
}

function withRole({ userId, role }: { readonly userId: string; readonly role: string }) {
  return { userId, role: role === 'admin' ? ('admin' as const) : ('member' as const) };
}
