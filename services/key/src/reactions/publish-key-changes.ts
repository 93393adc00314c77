import { type Bus, subjects } from '@sluice/bus';
import { Fault } from '@sluice/errors';
import { byStream, type EventStore, type RecordedEvent } from '@sluice/es';
import { KeyChanged } from '@sluice/protos/sluice/key/v1/key_events';
import { currentHistory, eachAtOnce, type Projection } from '@sluice/read-model';
import { changeOf, type KeyChange } from '../commands/key-change.ts';
import { apiKeyEvents, apiKeyStreamPrefix, hashOfStream } from '../store/api-key-events.ts';
import { loadApiKey } from '../store/api-key-handler.ts';

const atOnceMax = 16;

export type KeyChangeBus = Pick<Bus, 'publish' | 'isConnected' | 'flush'>;

/** Tells the processes that cache the key. Best effort: never throws. */
export function publishKeyChange(bus: Pick<Bus, 'publish'>, change: KeyChange): void {
  bus.publish(subjects.keyChanged(change.hash), KeyChanged.toJSON(change) as object);
}

/**
 * When a key changed, everybody is told, also when the process that changed it died before it could
 * say so. A key whose stream is gone from the event store is revoked. Waits for a bus that is away instead of
 * publishing into the void.
 */
export function publishKeyChanges(bus: KeyChangeBus, eventStore: EventStore): Projection {
  return {
    projection: 'key.publish_key_changes',
    version: 1,
    streamPrefixes: [apiKeyStreamPrefix],
    tables: [],
    async apply(transaction, events) {
      const history = await currentHistory(transaction);
      if (!bus.isConnected()) throw new Fault('bus_unavailable');
      await eachAtOnce(byStream(events), atOnceMax, async ([stream, recorded]) => {
        const hash = hashOfStream(stream);
        const [first] = recorded;
        const revision = recorded.at(-1)?.revision;
        const accountId = first && (await accountOf(eventStore, hash, first));
        if (accountId === undefined || revision === undefined) return;
        const events = recorded.map((one) => apiKeyEvents.decode(one));
        const change = changeOf(hash, accountId, { events, revision });
        // A process may remember a larger revision of a history that is no longer in force.
        const isComparable = history.number === 0;
        publishKeyChange(bus, isComparable ? change : { ...change, revision: undefined });
      });
      await bus.flush();
    },
    /** Its stream says no longer whose the key was. */
    async applyGone(_transaction, streams) {
      if (!bus.isConnected()) throw new Fault('bus_unavailable');
      for (const stream of streams)
        publishKeyChange(bus, { hash: hashOfStream(stream), accountId: '', isRevoked: true });
      await bus.flush();
    },
  };
}

/** The event that begins a key says whose it is; of others the log is asked. */
async function accountOf(
  eventStore: EventStore,
  hash: string,
  recorded: RecordedEvent,
): Promise<string | undefined> {
  const event = apiKeyEvents.decode(recorded);
  if (event.type === 'ApiKeyIssued') return event.data.accountId;
  const key = await loadApiKey(eventStore, hash);
  return key.status === 'none' ? undefined : key.accountId;
}
