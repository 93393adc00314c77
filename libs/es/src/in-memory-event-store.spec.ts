import { inMemoryEventStore } from './in-memory-event-store.ts';
import { eventStoreContract } from './testing.ts';

eventStoreContract({
  name: 'in-memory store',
  open: async () => inMemoryEventStore({ now: () => new Date() }),
});
