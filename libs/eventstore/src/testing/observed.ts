import type {
  EventStore,
  Position,
  RecordedEvent,
  SubscribeOptions,
  SubscriptionMessage,
} from '@sluice/es';

/** A subscription of the running test and what came of it. */
export function observe(
  store: EventStore,
  streamPrefixes: readonly string[],
  after: Position | 'start' = 'start',
  hooks: Pick<SubscribeOptions, 'onOpen' | 'onBreak'> = {},
) {
  const abort = new AbortController();
  const messages: SubscriptionMessage[] = [];
  const watching = new Set<() => void>();
  const running = (async () => {
    const options = { after, streamPrefixes, signal: abort.signal, ...hooks };
    for await (const batch of store.subscribe(options)) {
      messages.push(...batch);
      for (const look of watching) look();
    }
  })();
  const events = (): readonly RecordedEvent[] =>
    messages.flatMap((message) => (message.kind === 'event' ? [message.event] : []));
  return {
    messages,
    events,
    running,
    data: () => events().map(({ data }) => data),
    /** Waits until it is so; the test's own time-out bounds it. */
    async until(isSo: () => boolean): Promise<void> {
      if (isSo()) return;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const look = () => isSo() && resolve();
      watching.add(look);
      running.then(() => reject(new Error('The subscription has ended')), reject);
      await promise;
      watching.delete(look);
    },
    async stop(): Promise<void> {
      abort.abort();
      await running;
    },
  };
}
