import { type Bus, type PublishNoticeOptions, reactionNotice, subjects } from '@sluice/bus';
import { byStream, type EventStore, type RecordedEvent } from '@sluice/es';
import { KeyChanged } from '@sluice/protos/sluice/key/v1/key_events';
import { currentHistory, eachAtOnce, type History, type Projection } from '@sluice/read-model';
import { changeOf, type KeyChange } from '../commands/key-change.ts';
import { apiKeyEvents } from '../store/api-key-events.ts';

const atOnceMax = 16;

export type KeyChangeBus = Pick<Bus, 'publishNotice'>;

/**
 * Notifies the processes that cache the key. Resolves when the bus has stored the notice, so that disconnected
 * processes read it later. Throws bus_unavailable.
 */
export async function publishKeyChange(
  bus: KeyChangeBus,
  change: KeyChange,
  options?: PublishNoticeOptions,
): Promise<void> {
  const message = KeyChanged.toJSON(change) as object;
  await bus.publishNotice(subjects.keyChanged(change.hash), message, options);
}

/** The change with its revision as it is published; without one while the history is not known. */
export function publishedChange(change: KeyChange, history: History | undefined): KeyChange {
  const { revision } = change;
  return { ...change, revision: revision === undefined ? undefined : history?.published(revision) };
}

/**
 * Publishes each change of a key from the log, also when the process that changed it died before its own
 * notice. A key whose stream is gone from the event store is revoked. Throws while the bus is away.
 */
export function publishKeyChanges(bus: KeyChangeBus, eventStore: EventStore): Projection {
  return {
    projection: 'key.publish_key_changes',
    version: 1,
    streamPrefixes: [apiKeyEvents.streamPrefix],
    tables: [],
    async apply(transaction, events) {
      const history = await currentHistory(transaction);
      await eachAtOnce(byStream(events), atOnceMax, async ([stream, recorded]) => {
        const hash = apiKeyEvents.idOf(stream);
        const [first] = recorded;
        const revision = recorded.at(-1)?.revision;
        const accountId = first && (await accountOf(eventStore, hash, first));
        if (accountId === undefined || revision === undefined) return;
        const events = recorded.map((one) => apiKeyEvents.decode(one));
        const change = changeOf(hash, accountId, { events, revision });
        await publishKeyChange(bus, publishedChange(change, history), reactionNotice);
      });
    },
    async applySetAside(_connection, streams) {
      await eachAtOnce(streams, atOnceMax, async (stream) => {
        const change = { hash: apiKeyEvents.idOf(stream), accountId: '', isRevoked: false };
        await publishKeyChange(bus, change, reactionNotice);
      });
    },
    /** The stream no longer has the owner of the key. */
    async applyGone(_transaction, streams) {
      await eachAtOnce(streams, atOnceMax, async (stream) => {
        const change = { hash: apiKeyEvents.idOf(stream), accountId: '', isRevoked: true };
        await publishKeyChange(bus, change, reactionNotice);
      });
    },
  };
}

/** The first event of a key has its owner; for other events the log is read. */
async function accountOf(
  eventStore: EventStore,
  hash: string,
  recorded: RecordedEvent,
): Promise<string | undefined> {
  const event = apiKeyEvents.decode(recorded);
  if (event.type === 'ApiKeyIssued') return event.data.accountId;
  const { state: key } = await apiKeyEvents.load(eventStore, hash);
  return key.status === 'none' ? undefined : key.accountId;
}
