import { Fault } from '@sluice/errors';
import { AccountKind } from '@sluice/protos/sluice/account/v1/account';
import type { AccountCalls } from '../policy/alignment-beta.ts';

/** The account service without its log. */
export interface InMemoryAccounts extends AccountCalls {
  isUp: boolean;
  /** The ids of the accounts in the beta of `alignment`. */
  readonly aligned: Set<string>;
  readonly timesAsked: number;
}

export function inMemoryAccounts(): InMemoryAccounts {
  let timesAsked = 0;
  const accounts: InMemoryAccounts = {
    isUp: true,
    aligned: new Set(),
    get timesAsked() {
      return timesAsked;
    },
    async getAccount({ accountId }) {
      timesAsked += 1;
      if (!accounts.isUp) throw new Fault('unavailable');
      return {
        account: {
          accountId,
          kind: AccountKind.ACCOUNT_KIND_ORGANIZATION,
          name: '',
          ownerUserId: '',
          defaultWorkspaceId: '',
          createdAt: '',
          isFilteredModelCatalogEnabled: false,
          isScimEnabled: true,
          isAlignmentEnabled: accounts.aligned.has(accountId),
        },
      };
    },
  };
  return accounts;
}
