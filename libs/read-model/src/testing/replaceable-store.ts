import {
  type EventStore,
  type EventToAppend,
  inMemoryEventStore,
  type Position,
  type RecordedEvent,
} from '@sluice/es';

export interface ReplaceableStore extends EventStore {
  /** Returns the events that lie in the log now, in order. */
  readonly log: () => Promise<readonly RecordedEvent[]>;
  /** Puts another log in its place; open subscriptions break and go on there, as a client's do. */
  readonly replace: (events: readonly RecordedEvent[]) => Promise<void>;
  /** Puts another log in its place without a break of any connection. */
  readonly replaceUnseen: (events: readonly RecordedEvent[]) => Promise<void>;
  /** Breaks open subscriptions. */
  readonly breakOff: () => void;
}

/** An event store that can be restored from a copy while clients are connected to it. */
export function replaceableStore(): ReplaceableStore {
  let store = inMemoryEventStore({ now: () => new Date() });
  let connection = new AbortController();
  const breakOff = () => {
    const broken = connection;
    connection = new AbortController();
    broken.abort();
  };
  const replaceUnseen = async (events: readonly RecordedEvent[]) => {
    const other = inMemoryEventStore({ now: () => new Date() });
    for (const event of events) await other.append(event.stream, [event as EventToAppend], 'any');
    store = other;
  };
  return {
    namespace: store.namespace,
    append: (...given) => store.append(...given),
    read: (...given) => store.read(...given),
    end: () => store.end(),
    eventAt: (position) => store.eventAt(position),
    async *subscribe(options) {
      let after: Position | 'start' = options.after;
      while (!options.signal.aborted) {
        const signal = AbortSignal.any([options.signal, connection.signal]);
        for await (const batch of store.subscribe({ ...options, after, signal })) {
          yield batch;
          const last = batch.findLast((message) => message.kind === 'event');
          if (last) after = last.event.position;
          if (signal.aborted) break;
        }
        if (!options.signal.aborted) options.onBreak?.();
      }
    },
    log: async () => await wholeLog(store),
    replace: async (events) => {
      await replaceUnseen(events);
      breakOff();
    },
    replaceUnseen,
    breakOff,
  };
}

async function wholeLog(store: EventStore): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  const { signal } = new AbortController();
  for await (const batch of store.subscribe({ after: 'start', streamPrefixes: [''], signal }))
    for (const message of batch) {
      if (message.kind === 'event') events.push(message.event);
      if (message.kind === 'caught_up') return events;
    }
  return events;
}
