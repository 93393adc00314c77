import type { EventStore } from '../event-store.ts';

/** An event store whose subscriptions deliver late. */
export interface HeldSubscriptions extends EventStore {
  /** From now on subscriptions deliver nothing. */
  readonly hold: () => void;
  /** They go on where they were. */
  readonly letGo: () => void;
}

/** Takes commands as the store does, while read models see their events only when they are let go. */
export function heldSubscriptions(store: EventStore): HeldSubscriptions {
  let gate = Promise.resolve();
  let open = () => {};
  return {
    ...store,
    async *subscribe(options) {
      for await (const batch of store.subscribe(options)) {
        await gate;
        if (options.signal.aborted) return;
        yield batch;
      }
    },
    hold() {
      ({ promise: gate, resolve: open } = Promise.withResolvers<void>());
    },
    letGo: () => open(),
  };
}
