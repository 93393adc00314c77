import { createFactPublisher, entityToken, type FactBus, nameStream, subjects } from '@sluice/bus';
import type { EventStore } from '@sluice/es';
import { EntityNamed } from '@sluice/protos/sluice/name/v1/name_events';
import { type Projection, publishLatest } from '@sluice/read-model';
import type { ApiKeyEvent } from '../domain/api-key/events.ts';
import { apiKeyEvents } from '../store/api-key-events.ts';

/**
 * Publishes the name of each key, and its deletion. The bus stores the fact before the checkpoint moves. Each batch
 * publishes the last name of each key, and batches follow the log, so the newest name comes last. A key that begins in
 * the batch is not read from the event store again.
 */
export function publishKeyNames(bus: FactBus, eventStore: EventStore): Projection {
  const publishFact = createFactPublisher(bus, nameStream);
  return publishLatest({
    projection: 'key.publish_key_names',
    version: 1,
    eventStore,
    events: apiKeyEvents,
    concerns: (event) => namedAt(event) !== undefined,
    async publish({ id: keyHash, state, revision, history, event }) {
      if (state.status === 'none') return;
      const isIssued = state.status === 'issued';
      const fact: EntityNamed = {
        factId: `key:${keyHash}@${history.published(revision)}`,
        kind: 'key',
        entityId: keyHash,
        accountId: state.accountId,
        name: isIssued ? state.name : '',
        email: '',
        state: isIssued ? 'named' : 'deleted',
        occurredAt: namedAt(event) ?? '',
      };
      const entity = entityToken('key', keyHash);
      const message = EntityNamed.toJSON(fact) as object;
      await publishFact(subjects.entityNamed(entity), fact.factId, message);
    },
  });
}

/** Returns the time of an event that names a key or ends it; undefined for other events. */
function namedAt({ type, data }: ApiKeyEvent): string | undefined {
  if (type === 'ApiKeyIssued') return data.issuedAt;
  return type === 'ApiKeyRenamed' || type === 'ApiKeyDeleted' ? data.changedAt : undefined;
}
