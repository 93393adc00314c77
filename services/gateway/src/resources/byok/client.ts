import type {
  AddCredentialRequest,
  ByokServiceService,
  Credential,
  ListCredentialsRequest,
  ListCredentialsResponse,
  UpdateCredentialRequest,
} from '@sluice/protos/sluice/key/v1/byok';
import type { CommandContext } from '@sluice/protos/sluice/context/v1/context';
import type { Calls } from '@sluice/rpc';
import { present } from '../../clients/present.ts';

/** The key service's calls about provider credentials. */
export type ByokCalls = Calls<ByokServiceService>;

export interface ByokClient {
  add(request: AddCredentialRequest): Promise<Credential>;
  list(request: ListCredentialsRequest): Promise<ListCredentialsResponse>;
  /** Throws not_found for another account's. */
  find(accountId: string, credentialId: string): Promise<Credential>;
  update(request: UpdateCredentialRequest): Promise<Credential>;
  remove(context: CommandContext, credentialId: string): Promise<void>;
}

export function byokClient(calls: ByokCalls): ByokClient {
  return {
    async add(request) {
      return present((await calls.addCredential(request)).credential);
    },
    list: (request) => calls.listCredentials(request),
    async find(accountId, credentialId) {
      return present((await calls.getCredential({ accountId, credentialId })).credential);
    },
    async update(request) {
      return present((await calls.updateCredential(request)).credential);
    },
    async remove(context, credentialId) {
      await calls.deleteCredential({ context, credentialId });
    },
  };
}
