import { createFactPublisher, directoryStream, type FactBus, subjects } from '@sluice/bus';
import type { EventStore } from '@sluice/es';
import { KeyDeleted } from '@sluice/protos/sluice/directory/v1/directory_events';
import { type Projection, publishLatest } from '@sluice/read-model';
import { apiKeyEvents } from '../store/api-key-events.ts';

/**
 * Publishes the deletion of a key, so that other services drop their references. The bus has stored the fact
 * before the checkpoint moves.
 */
export function publishKeyDeletions(bus: FactBus, eventStore: EventStore): Projection {
  const publishFact = createFactPublisher(bus, directoryStream);
  return publishLatest({
    projection: 'key.publish_key_deletions',
    version: 1,
    eventStore,
    events: apiKeyEvents,
    concerns: ({ type }) => type === 'ApiKeyDeleted',
    async publish({ id: keyHash, state, revision, event }) {
      if (state.status !== 'deleted' || event.type !== 'ApiKeyDeleted') return;
      const { accountId } = state;
      const { changedAt: occurredAt } = event.data;
      const fact: KeyDeleted = { factId: `${keyHash}@${revision}`, accountId, keyHash, occurredAt };
      const message = KeyDeleted.toJSON(fact) as object;
      await publishFact(subjects.keyDeleted(accountId), fact.factId, message);
    },
  });
}
