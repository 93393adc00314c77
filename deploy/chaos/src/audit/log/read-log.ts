import type { EventStore, RecordedEvent } from '@sluice/es';
import { connectEventStore } from '@sluice/eventstore';
import { eventually } from '@sluice/patience';

/** An event of ours. */
export interface LogEvent extends RecordedEvent {
  readonly data: Readonly<Record<string, unknown>>;
  readonly metadata: { readonly commandId: string; readonly requestId: string };
}

/** The streams that the commands of the load change. */
export const streamPrefixes = ['account-', 'apiKey-', 'member-', 'workspace-'] as const;

/** Returns all events of these streams as the log is now, in its order. */
export async function readLog(
  store: Pick<EventStore, 'subscribe'>,
  prefixes: readonly string[] = streamPrefixes,
): Promise<readonly LogEvent[]> {
  const events: LogEvent[] = [];
  const { signal } = new AbortController();
  for await (const batch of store.subscribe({ after: 'start', streamPrefixes: prefixes, signal }))
    for (const message of batch) {
      if (message.kind === 'event') events.push(message.event as LogEvent);
      if (message.kind === 'caught_up') return events;
    }
  throw new Error('the subscription ended before it had caught up');
}

/** A busy machine may not answer the first questions in time. */
const patience = { everyMs: 1_000, sameLooksMax: 20 };

/** Does the same over a connection of its own, until the store answers. */
export async function readLogAt(
  url: string,
  prefixes?: readonly string[],
): Promise<readonly LogEvent[]> {
  const store = await connectEventStore({ url });
  try {
    return await eventually(() => readLog(store, prefixes), patience);
  } finally {
    await store.stop();
  }
}
