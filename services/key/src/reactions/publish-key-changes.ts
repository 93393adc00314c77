import { type Bus, subjects } from '@sluice/bus';
import { Fault } from '@sluice/errors';
import type { EventStore } from '@sluice/es';
import { KeyChanged } from '@sluice/protos/sluice/key/v1/key_events';
import type { Projection } from '@sluice/read-model';
import { apiKeyStreamPrefix, hashOfStream } from '../store/api-key-events.ts';
import { loadApiKey } from '../store/api-key-handler.ts';
import { eachAtOnce } from './at-once.ts';

const atOnceMax = 16;

export type KeyChangeBus = Pick<Bus, 'publish' | 'isConnected'>;

/** Tells whoever holds something of the key to forget it. Best effort: never throws. */
export function publishKeyChange(
  bus: Pick<Bus, 'publish'>,
  change: { readonly hash: string; readonly accountId: string },
): void {
  bus.publish(subjects.keyChanged(change.hash), KeyChanged.toJSON(change) as object);
}

/**
 * When a key changed, everybody is told, also when the process that changed it died before it could
 * say so. Waits for a bus that is away instead of publishing into the void.
 */
export function publishKeyChanges(bus: KeyChangeBus, eventStore: EventStore): Projection {
  return {
    projection: 'key.publish_key_changes',
    version: 1,
    streamPrefixes: [apiKeyStreamPrefix],
    tables: [],
    async apply(_transaction, events) {
      if (!bus.isConnected()) throw new Fault('bus_unavailable');
      const hashes = new Set(events.map(({ stream }) => hashOfStream(stream)));
      await eachAtOnce(hashes, atOnceMax, async (hash) => {
        const key = await loadApiKey(eventStore, hash);
        if (key.status !== 'none') publishKeyChange(bus, { hash, accountId: key.accountId });
      });
    },
  };
}
