import type { Projection } from '@sluice/read-model';
import { destinationEvents } from '../store/destination-events.ts';
import { destinationSecrets } from '../store/destination-secrets.ts';

/** When a config was replaced or its destination deleted, the sealed row is erased, with the checkpoint. */
export const eraseDestinationSecrets: Projection = {
  projection: 'workspace.erase_destination_secrets',
  version: 1,
  streamPrefixes: [destinationEvents.streamPrefix],
  tables: [],
  async apply(transaction, events) {
    for (const recorded of events) {
      const event = destinationEvents.decode(recorded);
      const accountId = destinationEvents.idOf(recorded.stream);
      switch (event.type) {
        case 'DestinationConfigured': {
          const { replacedSecretId: secretId } = event.data;
          await destinationSecrets.erase(transaction, { accountId, secretId });
          break;
        }
        case 'DestinationDeleted': {
          const { secretId } = event.data;
          await destinationSecrets.erase(transaction, { accountId, secretId });
          break;
        }
        case 'DestinationCreated':
        case 'DestinationUpdated':
          break;
      }
    }
  },
};
