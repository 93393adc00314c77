import { streamReaction } from '@sluice/read-model';
import type { DestinationEvent } from '../domain/destinations/events.ts';
import { destinationEvents } from '../store/destination-events.ts';
import { destinationSecrets } from '../store/destination-secrets.ts';

/** When a config was replaced or its destination deleted, the sealed row is erased, with the checkpoint. */
export const eraseDestinationSecrets = streamReaction(
  destinationEvents,
  { projection: 'workspace.erase_destination_secrets', version: 1 },
  async (event, { stream }, transaction) => {
    const secretId = erasedBy(event);
    if (secretId === undefined) return;
    const accountId = destinationEvents.idOf(stream);
    await destinationSecrets.erase(transaction, { accountId, secretId });
  },
);

function erasedBy({ type, data }: DestinationEvent): string | undefined {
  switch (type) {
    case 'DestinationConfigured':
      return data.replacedSecretId;
    case 'DestinationDeleted':
      return data.secretId;
    case 'DestinationCreated':
    case 'DestinationUpdated':
      return undefined;
  }
}
