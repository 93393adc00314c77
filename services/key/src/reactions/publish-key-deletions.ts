import { type Bus, directoryStream, subjects } from '@sluice/bus';
import { type EventStore, loadAggregate } from '@sluice/es';
import { KeyDeleted } from '@sluice/protos/sluice/directory/v1/directory_events';
import { eachAtOnce, type Projection } from '@sluice/read-model';
import { apiKey } from '../domain/api-key/decide.ts';
import { apiKeyEvents, apiKeyStreamPrefix, hashOfStream } from '../store/api-key-events.ts';

export type KeyDeletionBus = Pick<Bus, 'publishFact' | 'ensureStream'>;

/** A key is deleted once, and the order of keys does not matter. */
const atOnceMax = 64;

/**
 * Publishes the deletion of a key, so that other services drop their references. The bus has stored the fact
 * before the checkpoint moves.
 */
export function publishKeyDeletions(bus: KeyDeletionBus, eventStore: EventStore): Projection {
  let streamIsThere: Promise<void> | undefined;
  async function publish(hash: string, occurredAt: string): Promise<void> {
    streamIsThere ??= bus.ensureStream(directoryStream);
    await streamIsThere.catch((error: unknown) => {
      streamIsThere = undefined;
      throw error;
    });
    const { state: key, revision } = await loadAggregate(eventStore, apiKey, apiKeyEvents, hash);
    if (key.status !== 'deleted') return;
    const { accountId } = key;
    const fact: KeyDeleted = {
      factId: `${hash}@${revision}`,
      accountId,
      keyHash: hash,
      occurredAt,
    };
    const message = KeyDeleted.toJSON(fact) as object;
    await bus.publishFact(subjects.keyDeleted(accountId), fact.factId, message);
  }
  return {
    projection: 'key.publish_key_deletions',
    version: 1,
    streamPrefixes: [apiKeyStreamPrefix],
    tables: [],
    async apply(_transaction, events) {
      await eachAtOnce(events, atOnceMax, async (recorded) => {
        const event = apiKeyEvents.decode(recorded);
        if (event.type === 'ApiKeyDeleted')
          await publish(hashOfStream(recorded.stream), event.data.changedAt);
      });
    },
  };
}
