import { once } from 'node:events';
import { Fault } from '@sluice/errors';
import type { EventStore } from '../event-store.ts';

/** An event store that is away: each read and each append fails at once, and a subscription delivers nothing. */
export function eventStoreAway(): EventStore {
  const away = () => Promise.reject(new Fault('event_store_unavailable'));
  return {
    namespace: '',
    append: away,
    end: away,
    eventAt: away,
    // oxlint-disable-next-line require-yield
    async *read() {
      await away();
    },
    // oxlint-disable-next-line require-yield
    async *subscribe({ signal }) {
      if (signal && !signal.aborted) await once(signal, 'abort');
    },
  };
}
