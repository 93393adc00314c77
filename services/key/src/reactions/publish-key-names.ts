import { type Bus, entityToken, namePublisher, subjects } from '@sluice/bus';
import { type EventStore, loadAggregate } from '@sluice/es';
import { EntityNamed } from '@sluice/protos/sluice/name/v1/name_events';
import { currentHistory, type History, type Projection } from '@sluice/read-model';
import { apiKey } from '../domain/api-key/decide.ts';
import { apiKeyEvents, apiKeyStreamPrefix, hashOfStream } from '../store/api-key-events.ts';

/**
 * Publishes what a key is called, and that it is deleted: the bus has stored the fact before the checkpoint
 * moves. The name is that of the log now, so that an event that is read late publishes no old name.
 */
export function publishKeyNames(
  bus: Pick<Bus, 'publishFact' | 'ensureStream'>,
  eventStore: EventStore,
): Projection {
  const names = namePublisher(bus);
  async function publish(keyHash: string, occurredAt: string, history: History): Promise<void> {
    const { state, revision } = await loadAggregate(eventStore, apiKey, apiKeyEvents, keyHash);
    if (state.status === 'none') return;
    const { accountId } = state;
    const isIssued = state.status === 'issued';
    const fact: EntityNamed = {
      factId: `key:${keyHash}@${history.published(revision)}`,
      kind: 'key',
      entityId: keyHash,
      accountId,
      name: isIssued ? state.name : '',
      email: '',
      state: isIssued ? 'named' : 'deleted',
      occurredAt,
    };
    const message = EntityNamed.toJSON(fact) as object;
    const entity = entityToken('key', keyHash);
    await names.publishFact(subjects.entityNamed(entity), fact.factId, message);
  }
  return {
    projection: 'key.publish_key_names',
    version: 1,
    streamPrefixes: [apiKeyStreamPrefix],
    tables: [],
    async apply(transaction, events) {
      const history = await currentHistory(transaction);
      for (const recorded of events) {
        const { type, data } = apiKeyEvents.decode(recorded);
        if (type === 'ApiKeyIssued')
          await publish(hashOfStream(recorded.stream), data.issuedAt, history);
        else if (type === 'ApiKeyRenamed' || type === 'ApiKeyDeleted')
          await publish(hashOfStream(recorded.stream), data.changedAt, history);
      }
    },
  };
}
