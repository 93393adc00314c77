import { type Bus, entityToken, namePublisher, subjects } from '@sluice/bus';
import { aggregateAfter, byStream, type EventStore, type RecordedEvent } from '@sluice/es';
import { EntityNamed } from '@sluice/protos/sluice/name/v1/name_events';
import { currentHistory, eachAtOnce, type History, type Projection } from '@sluice/read-model';
import { apiKey } from '../domain/api-key/decide.ts';
import { apiKeyEvents, apiKeyStreamPrefix, hashOfStream } from '../store/api-key-events.ts';

/** Neither order nor repetition matters, and each waits for the bus to store it. */
const atOnceMax = 64;

/**
 * Publishes what a key is called, and that it is deleted: the bus has stored the fact before the checkpoint
 * moves. Each batch publishes the last name of each key, and batches follow the log, so the newest name comes last. A
 * key that begins in the batch is not read from the event store again.
 */
export function publishKeyNames(
  bus: Pick<Bus, 'publishFact' | 'ensureStream'>,
  eventStore: EventStore,
): Projection {
  const names = namePublisher(bus);
  async function publish(events: readonly RecordedEvent[], history: History): Promise<void> {
    const last = events.findLast((recorded) => naming(recorded) !== undefined);
    const occurredAt = last && naming(last);
    if (last === undefined || occurredAt === undefined) return;
    const keyHash = hashOfStream(last.stream);
    const after = await aggregateAfter(eventStore, apiKey, apiKeyEvents, keyHash, events);
    const { state, revision } = after;
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
      await eachAtOnce(byStream(events), atOnceMax, ([, ofOne]) => publish(ofOne, history));
    },
  };
}

/** Returns the time of an event that names a key or ends it; undefined for other events. */
function naming(recorded: RecordedEvent): string | undefined {
  const { type, data } = apiKeyEvents.decode(recorded);
  if (type === 'ApiKeyIssued') return data.issuedAt;
  return type === 'ApiKeyRenamed' || type === 'ApiKeyDeleted' ? data.changedAt : undefined;
}
