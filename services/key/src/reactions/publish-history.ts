import { type Bus, reactionNotice, subjects } from '@sluice/bus';
import { HistoryChanged } from '@sluice/protos/sluice/key/v1/key_events';
import { currentHistory, installationStream, type Projection } from '@sluice/read-model';

/**
 * Notifies all processes that an operator has accepted another history of the event store. They drop their caches,
 * because a key, a credential or a rule may be gone with its stream. One service does this for all, because the read
 * models of all services are rebuilt before any of them goes on. Throws while the bus is away.
 */
export function publishHistory(bus: Pick<Bus, 'publishNotice'>): Projection {
  return {
    projection: 'key.publish_history',
    version: 1,
    streamPrefixes: [installationStream],
    tables: [],
    async apply(transaction, events) {
      if (!events.some(({ type }) => type === 'HistoryAccepted')) return;
      const { number: history } = await currentHistory(transaction);
      const message = HistoryChanged.toJSON({ history }) as object;
      await bus.publishNotice(subjects.historyChanged(`${history}`), message, reactionNotice);
    },
  };
}
