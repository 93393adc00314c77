import { AccountKind, type Account } from '@sluice/protos/sluice/account/v1/account';
import type { Clock } from '@sluice/clock-and-ids';
import { boundedMap } from '../bounded-map.ts';

export interface AccountCache {
  /** Throws the fault of the call that had to be made. */
  isOrganization(accountId: string): Promise<boolean>;
  /** Whether it may map groups of its directory, at most 5 s ago. Throws as above. */
  hasScim(accountId: string): Promise<boolean>;
  /** Whether its keys see only models that they can use, at most 5 s ago. Throws as above. */
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
  readonly askedAtMs: number;
}

const accountsMax = 100_000;
/** Of what is set for an account. */
const settingAgeMsMax = 5_000;

/**
 * What the gateway knows of accounts, so that a request needs no call. What kind an account is of
 * never changes, so it is asked for once, however many requests wait for the answer; what it may have
 * does change.
 */
export function createAccountCache(
  findAccount: (accountId: string) => Promise<Account>,
  clock: Clock,
): AccountCache {
  const known = boundedMap<KnownAccount>(accountsMax);
  const asking = new Map<string, Promise<KnownAccount>>();

  const ask = (accountId: string): Promise<KnownAccount> => {
    const askedAtMs = clock.now().getTime();
    const answer = findAccount(accountId)
      .then(({ kind, isScimEnabled: hasScim, ...account }) => {
        const isOrganization = kind === AccountKind.ACCOUNT_KIND_ORGANIZATION;
        const isFiltered = isOrganization && account.isFilteredModelCatalogEnabled;
        const { defaultWorkspaceId } = account;
        const found = { isOrganization, hasScim, isFiltered, defaultWorkspaceId, askedAtMs };
        known.set(accountId, found);
        return found;
      })
      .finally(() => asking.delete(accountId));
    asking.set(accountId, answer);
    return answer;
  };
  const asked = (accountId: string) => asking.get(accountId) ?? ask(accountId);
  const fresh = async (accountId: string): Promise<KnownAccount> => {
    const found = known.get(accountId);
    const isFresh =
      found !== undefined && clock.now().getTime() - found.askedAtMs < settingAgeMsMax;
    return isFresh ? found : await asked(accountId);
  };

  return {
    async isOrganization(accountId) {
      return (known.get(accountId) ?? (await asked(accountId))).isOrganization;
    },
    hasScim: async (accountId) => (await fresh(accountId)).hasScim,
    filteredCatalog: fresh,
  };
}
