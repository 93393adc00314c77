import type {
  Account,
  AccountServiceService,
  ListMembersRequest,
  ListMembersResponse,
} from '@sluice/protos/sluice/account/v1/account';
import type { Calls } from '@sluice/rpc';
import { present } from './present.ts';

/** What of the account service the gateway asks. */
export type AccountCalls = Pick<Calls<AccountServiceService>, 'getAccount' | 'listMembers'>;

export interface AccountClient {
  findAccount(accountId: string): Promise<Account>;
  /** The active ones, those who joined first first. */
  listMembers(request: ListMembersRequest): Promise<ListMembersResponse>;
}

export function accountClient(calls: AccountCalls): AccountClient {
  return {
    async findAccount(accountId) {
      const { account } = await calls.getAccount({ accountId });
      return present(account);
    },
    listMembers: (request) => calls.listMembers(request),
  };
}
