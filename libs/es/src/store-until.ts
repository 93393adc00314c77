import type { EventStore } from './event-store.ts';

/** Returns the store as it was at an instant, for reading: each stream ends before the first event that came later. */
export function storeUntil(
  store: Pick<EventStore, 'read'>,
  instant: Date,
): Pick<EventStore, 'read'> {
  return {
    async *read(stream, fromRevision, signal) {
      for await (const recorded of store.read(stream, fromRevision, signal)) {
        if (recorded.recordedAt > instant) return;
        yield recorded;
      }
    },
  };
}
