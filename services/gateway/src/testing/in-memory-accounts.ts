import { Fault } from '@sluice/errors';
import type { Account, Member } from '@sluice/protos/sluice/account/v1/account';
import type { AccountCalls } from '../clients/calls.ts';

export interface InMemoryAccounts {
  readonly calls: AccountCalls;
  join(accountId: string, member: Partial<Member> & Pick<Member, 'userId'>): void;
  /** Ends the entitlement to map groups of a directory. */
  takeScim(accountId: string): void;
  /** The number of questions for an account. */
  readonly asked: () => number;
}

/** The account service's questions over maps. */
export function inMemoryAccounts(
  accounts: readonly (Pick<Account, 'accountId' | 'kind' | 'ownerUserId'> & Partial<Account>)[],
): InMemoryAccounts {
  const members = new Map<string, Member[]>();
  const filtered = new Set<string>();
  const withoutScim = new Set<string>();
  let asked = 0;
  const membersOf = (accountId: string) => members.get(accountId) ?? [];
  const find = (accountId: string): Account => {
    const account = accounts.find((one) => one.accountId === accountId);
    if (!account) throw new Fault('not_found');
    const rest = { name: '', defaultWorkspaceId: '', createdAt: '', isAlignmentEnabled: false };
    const isScimEnabled = !withoutScim.has(accountId);
    const isFilteredModelCatalogEnabled = filtered.has(accountId);
    return { ...rest, isFilteredModelCatalogEnabled, isScimEnabled, ...account };
  };
  return {
    calls: {
      async getAccount({ accountId }) {
        asked++;
        return { account: find(accountId) };
      },
      async changeOrganizationSettings({ context, isFilteredModelCatalogEnabled }) {
        const { accountId = '' } = context ?? {};
        if (isFilteredModelCatalogEnabled) filtered.add(accountId);
        else filtered.delete(accountId);
        return { account: find(accountId) };
      },
      async listMembers({ accountId, offset, limit }) {
        const active = membersOf(accountId).filter(({ isActive }) => isActive);
        return { members: active.slice(offset, offset + limit), totalCount: active.length };
      },
    },
    join(accountId, { userId, ...given }) {
      const email = `${userId}@example.com`;
      const rest = { email, role: 'member', isActive: true };
      members.set(accountId, [...membersOf(accountId), { userId, ...rest, ...given }]);
    },
    takeScim: (accountId) => void withoutScim.add(accountId),
    asked: () => asked,
  };
}
