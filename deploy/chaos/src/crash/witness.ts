import type { EventStore, RecordedEvent } from '@sluice/es';

/** Whose streams the services own: everything that is folded here. */
export const streamPrefixes = ['account-', 'apiKey-', 'member-', 'workspace-'] as const;

export interface Witness {
  /** The events that were delivered so far. */
  readonly seen: readonly RecordedEvent[];
  /** Rejects with the error that ended the subscription. */
  stop(): Promise<void>;
}

/** A consumer that stays subscribed. It must receive each event of the log exactly once. */
export function startWitness(store: Pick<EventStore, 'subscribe'>): Witness {
  const seen: RecordedEvent[] = [];
  const ending = new AbortController();
  const running = (async () => {
    const { signal } = ending;
    for await (const batch of store.subscribe({ after: 'start', streamPrefixes, signal }))
      for (const message of batch) if (message.kind === 'event') seen.push(message.event);
  })();
  running.catch(() => undefined);
  return {
    seen,
    async stop() {
      ending.abort();
      await running;
    },
  };
}
