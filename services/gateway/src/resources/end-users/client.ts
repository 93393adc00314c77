import type {
  DeactivateEndUserRequest,
  EndUser,
  EndUserServiceService,
  ListEndUsersRequest,
  ListEndUsersResponse,
  RegisterEndUserRequest,
  SetEndUserActiveRequest,
} from '@sluice/protos/sluice/account/v1/end_user';
import type { Calls } from '@sluice/rpc';
import { present } from '../../clients/present.ts';

/** The account service's calls about end users. */
export type EndUserCalls = Calls<EndUserServiceService>;

export interface EndUserClient {
  /** Throws conflict where it is registered, active or not. */
  register(request: RegisterEndUserRequest): Promise<EndUser>;
  /** Throws not_found for another account's. */
  find(accountId: string, user: string): Promise<EndUser>;
  list(request: ListEndUsersRequest): Promise<ListEndUsersResponse>;
  setActive(request: SetEndUserActiveRequest): Promise<EndUser>;
  deactivate(request: DeactivateEndUserRequest): Promise<void>;
}

export function endUserClient(calls: EndUserCalls): EndUserClient {
  return {
    async register(request) {
      return present((await calls.registerEndUser(request)).endUser);
    },
    async find(accountId, user) {
      return present((await calls.getEndUser({ accountId, user })).endUser);
    },
    list: (request) => calls.listEndUsers(request),
    async setActive(request) {
      return present((await calls.setEndUserActive(request)).endUser);
    },
    async deactivate(request) {
      await calls.deactivateEndUser(request);
    },
  };
}
