import { isPlainId, isUuid } from '@sluice/clock-and-ids';
import { Fault, invalidValue } from '@sluice/errors';
import { DestinationUseServiceService } from '@sluice/protos/sluice/workspace/v1/destination_use';
import { requireReadable } from '@sluice/read-model';
import { implement, type RpcService } from '@sluice/rpc';
import { openConfig, type SealedConfigDependencies } from '../commands/destination-commands.ts';
import { isUsableConfig, usableDestinations } from '../queries/usable-destinations.ts';
import { destinationEvents } from '../store/destination-events.ts';
import { fromDestinationRow } from './destination-message.ts';

const pageRowsMax = 1_000;
const firstId = '00000000-0000-0000-0000-000000000000';

/** Answers the processes that send to destinations, from the read model. */
export function destinationUseRpc(dependencies: SealedConfigDependencies): RpcService {
  const { readModel } = dependencies;
  return implement(DestinationUseServiceService, {
    async listUsable({ accountId, workspaceId, afterDestinationId, limit }) {
      if (limit < 1 || limit > pageRowsMax)
        throw invalidValue('limit', `must be from 1 to ${pageRowsMax}`);
      const after = afterDestinationId || firstId;
      if (!isUuid(after)) throw invalidValue('after_destination_id', 'must be a UUID');
      if (accountId !== '' && !isPlainId(accountId)) throw new Fault('not_found');
      if (workspaceId !== '' && !isUuid(workspaceId)) return { destinations: [] };
      const asked = {
        accountId,
        workspaceId: workspaceId || null,
        afterDestinationId: after,
        limit,
      };
      const rows = await usableDestinations(readModel, asked);
      return {
        destinations: rows.map((row) => ({
          destination: fromDestinationRow(row),
          secretId: row.secretId,
          isBroadcastEnabled: row.isBroadcastEnabled,
          usableSince: row.usableSince?.toISOString() ?? '',
        })),
      };
    },
    async openConfig({ accountId, destinationId, secretId }) {
      const areIds = [destinationId, secretId].every((id) => isUuid(id));
      if (!areIds || !isPlainId(accountId)) throw new Fault('not_found');
      await requireReadable(readModel, [`${destinationEvents.streamPrefix}${accountId}`]);
      const place = { accountId, destinationId, secretId };
      if (!(await isUsableConfig(readModel, place))) throw new Fault('not_found');
      return { config: await openConfig(dependencies, place) };
    },
  });
}
