import { AccountKind, type Account } from '@sluice/protos/sluice/account/v1/account';
import { boundedMap } from '../bounded-map.ts';

export interface AccountCache {
  /** Throws the fault of the call that had to be made. */
  isOrganization(accountId: string): Promise<boolean>;
}

interface KnownKind {
  readonly isOrganization: boolean;
}

const accountsMax = 100_000;

/**
 * What the gateway knows of accounts, so that a request needs no call. What kind an account is of
 * never changes, so it is asked for once, however many requests wait for the answer.
 */
export function createAccountCache(
  findAccount: (accountId: string) => Promise<Account>,
): AccountCache {
  const known = boundedMap<KnownKind>(accountsMax);
  const asking = new Map<string, Promise<KnownKind>>();

  const ask = (accountId: string): Promise<KnownKind> => {
    const answer = findAccount(accountId)
      .then(({ kind }) => {
        const found = { isOrganization: kind === AccountKind.ACCOUNT_KIND_ORGANIZATION };
        known.set(accountId, found);
        return found;
      })
      .finally(() => asking.delete(accountId));
    asking.set(accountId, answer);
    return answer;
  };

  return {
    async isOrganization(accountId) {
      const found = known.get(accountId) ?? (await (asking.get(accountId) ?? ask(accountId)));
      return found.isOrganization;
    },
  };
}
