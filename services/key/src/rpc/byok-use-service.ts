import { isUuid } from '@sluice/clock-and-ids';
import { Fault } from '@sluice/errors';
import { ByokUseServiceService } from '@sluice/protos/sluice/key/v1/byok_use';
import { requireReadable } from '@sluice/read-model';
import { implement, type RpcService } from '@sluice/rpc';
import { openCredential, type OpenDependencies } from '../commands/byok/open-credential.ts';
import { usableByokCredentials } from '../queries/usable-byok-credentials.ts';
import { byokEvents } from '../store/byok-events.ts';
import { fromCredentialRow } from './byok-message.ts';

const accountIdPattern = /^[A-Za-z0-9_-]{1,128}$/;

/** Answers the process that calls providers, from the read model. */
export function byokUseRpc(dependencies: OpenDependencies): RpcService {
  const { database } = dependencies;
  return implement(ByokUseServiceService, {
    async listUsable({ accountId, workspaceId }) {
      if (!accountIdPattern.test(accountId)) throw new Fault('not_found');
      if (!isUuid(workspaceId)) return { credentials: [] };
      await requireReadable(database, [`${byokEvents.streamPrefix}${accountId}`]);
      const usable = await usableByokCredentials(database, { accountId, workspaceId });
      return {
        credentials: usable.map((row) => ({
          credential: fromCredentialRow(row),
          secretId: row.secretId,
        })),
      };
    },
    async openSecret({ accountId, credentialId, secretId }) {
      const areIds = [credentialId, secretId].every((id) => isUuid(id));
      if (!areIds || !accountIdPattern.test(accountId)) throw new Fault('not_found');
      await requireReadable(database, [`${byokEvents.streamPrefix}${accountId}`]);
      const secret = await openCredential(dependencies, { accountId, credentialId, secretId });
      return { secret: secret.reveal() };
    },
  });
}
