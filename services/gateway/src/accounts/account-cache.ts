import { AccountKind, type Account } from '@sluice/protos/sluice/account/v1/account';
import { type Clock, steadyMsOf } from '@sluice/clock-and-ids';
import { createRemoteCache } from '@sluice/remote-cache';

export interface AccountCache {
  /** Throws the fault of the call that had to be made. */
  isOrganization(accountId: string): Promise<boolean>;
  /** Returns true if the account could map groups of its directory at most 5 s ago. Throws like `isOrganization`. */
  hasScim(accountId: string): Promise<boolean>;
  /** Returns true if keys of the account saw only usable models at most 5 s ago. Throws like `isOrganization`. */
  filteredCatalog(accountId: string): Promise<FilteredCatalog>;
}

export interface FilteredCatalog {
  readonly isFiltered: boolean;
  /** Whose policies decide for a key that is of no workspace. */
  readonly defaultWorkspaceId: string;
}

interface KnownAccount extends FilteredCatalog {
  readonly isOrganization: boolean;
  readonly hasScim: boolean;
}

/**
 * Caches facts of accounts, so that a request needs no call. The kind of an account never changes. A setting is at
 * most 5 s old.
 */
export function createAccountCache(
  findAccount: (accountId: string) => Promise<Account>,
  clock: Clock,
): AccountCache {
  const cache = createRemoteCache({
    ask: async ({ accountId }: { readonly accountId: string }) =>
      knownAccount(await findAccount(accountId)),
    groupOf: ({ accountId }) => accountId,
    unsubscribedMs: () => Infinity,
    nowMs: steadyMsOf(clock),
    throwsRefusals: true,
  });
  return {
    async isOrganization(accountId) {
      const known = cache.last({ accountId }) ?? (await cache.find({ accountId }));
      return known.isOrganization;
    },
    hasScim: async (accountId) => (await cache.find({ accountId })).hasScim,
    filteredCatalog: async (accountId) => await cache.find({ accountId }),
  };
}

function knownAccount({ kind, isScimEnabled: hasScim, ...account }: Account): KnownAccount {
  const isOrganization = kind === AccountKind.ACCOUNT_KIND_ORGANIZATION;
  const isFiltered = isOrganization && account.isFilteredModelCatalogEnabled;
  return { isOrganization, hasScim, isFiltered, defaultWorkspaceId: account.defaultWorkspaceId };
}
