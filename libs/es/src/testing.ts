export { eventStoreAway } from './testing/event-store-away.ts';
export { type HeldSubscriptions, heldSubscriptions } from './testing/held-subscriptions.ts';
export { specification } from './testing/specification.ts';
export {
  eventStoreContract,
  type EventStoreContractOptions,
} from './testing/event-store-contract.ts';
export { storedEventsSpecification, type StoredEventsOptions } from './testing/stored-events.ts';
