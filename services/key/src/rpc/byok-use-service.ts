import { Fault } from '@sluice/errors';
import { ByokUseServiceService } from '@sluice/protos/sluice/key/v1/byok_use';
import { implement, type RpcService } from '@sluice/rpc';
import {
  openCredential,
  type OpenDependencies,
  usableCredentials,
} from '../commands/byok/open-credential.ts';
import type { ByokCredentials } from '../domain/byok/state.ts';
import { fromCredential } from './byok-message.ts';

export interface ByokUseDependencies extends OpenDependencies {
  /** The credentials of an account as they are in the log now. */
  readonly load: (accountId: string) => Promise<{ readonly state: ByokCredentials }>;
}

const uuidPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const accountIdPattern = /^[A-Za-z0-9_-]{1,128}$/;

/** What whoever calls providers asks. Answers from the log, so that a change is seen as soon as it is one. */
export function byokUseRpc(dependencies: ByokUseDependencies): RpcService {
  const stateOf = async (accountId: string) => {
    if (!accountIdPattern.test(accountId)) throw new Fault('not_found');
    return (await dependencies.load(accountId)).state;
  };
  return implement(ByokUseServiceService, {
    async listUsable({ accountId, workspaceId }) {
      const usable = usableCredentials(await stateOf(accountId), workspaceId);
      return {
        credentials: usable.map((credential) => ({
          credential: fromCredential(credential),
          secretId: credential.secretId,
        })),
      };
    },
    async openSecret({ accountId, credentialId, secretId }) {
      if (![credentialId, secretId].every((id) => uuidPattern.test(id)))
        throw new Fault('not_found');
      const place = { accountId, credentialId, secretId };
      const secret = await openCredential(dependencies, await stateOf(accountId), place);
      return { secret: secret.reveal() };
    },
  });
}
