import { Fault } from '@sluice/errors';
import type { EventStore } from '@sluice/es';

export interface BreakingEventStore extends EventStore {
  /** Returns the number of appends that were refused so far. */
  readonly refused: () => number;
}

/** Accepts a number of further appends and then none, so that a process stops between two of its steps. */
export function breakingEventStore(store: EventStore, appendsMax: number): BreakingEventStore {
  let appended = 0;
  let refused = 0;
  return {
    namespace: store.namespace,
    async append(...given) {
      if (appended >= appendsMax) {
        refused++;
        throw new Fault('event_store_unavailable');
      }
      appended++;
      return await store.append(...given);
    },
    read: (...given) => store.read(...given),
    end: () => store.end(),
    eventAt: (position) => store.eventAt(position),
    subscribe: (options) => store.subscribe(options),
    refused: () => refused,
  };
}
