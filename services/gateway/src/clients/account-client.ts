import type {
  Account,
  AccountServiceService,
  ChangeOrganizationSettingsRequest,
  ListMembersRequest,
  ListMembersResponse,
} from '@sluice/protos/sluice/account/v1/account';
import type { Calls } from '@sluice/rpc';
import { present } from './present.ts';

/** The calls of the gateway to the account service. */
export type AccountCalls = Pick<
  Calls<AccountServiceService>,
  'getAccount' | 'listMembers' | 'changeOrganizationSettings'
>;

export interface AccountClient {
  findAccount(accountId: string): Promise<Account>;
  /** The active ones, those who joined first first. */
  listMembers(request: ListMembersRequest): Promise<ListMembersResponse>;
  /** The organization as it is from now on. */
  changeSettings(request: ChangeOrganizationSettingsRequest): Promise<Account>;
}

export function accountClient(calls: AccountCalls): AccountClient {
  return {
    async findAccount(accountId) {
      const { account } = await calls.getAccount({ accountId });
      return present(account);
    },
    listMembers: (request) => calls.listMembers(request),
    async changeSettings(request) {
      const { account } = await calls.changeOrganizationSettings(request);
      return present(account);
    },
  };
}
