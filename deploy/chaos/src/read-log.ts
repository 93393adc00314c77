import type { EventStore, RecordedEvent } from '@sluice/es';

/** All events of these streams as the log is now, in its order. */
export async function readLog(
  store: Pick<EventStore, 'subscribe'>,
  streamPrefixes: readonly string[],
): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  const { signal } = new AbortController();
  for await (const batch of store.subscribe({ after: 'start', streamPrefixes, signal }))
    for (const message of batch) {
      if (message.kind === 'event') events.push(message.event);
      if (message.kind === 'caught_up') return events;
    }
  throw new Error('the subscription ended before it had caught up');
}
