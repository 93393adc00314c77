export { eventMetadata, type Actor, type Event, type EventMetadata } from './event.ts';
export {
  comparePositions,
  type AppendResult,
  type EventMark,
  type EventStore,
  type EventToAppend,
  type ExpectedRevision,
  type Position,
  type RecordedEvent,
  type StoreStanding,
  type SubscribeOptions,
  type SubscriptionMessage,
} from './event-store.ts';
export { aggregateAfter, byStream } from './aggregate-after.ts';
export { aggregateEventsWith } from './aggregate-events.ts';
export { givenFields } from './given-fields.ts';
export { goneStreamOf, metastreamOf } from './gone-stream.ts';
export { installationStream } from './installation-stream.ts';
export { isOwnEvent } from './own-event.ts';
export { fold, type Decider } from './decider.ts';
export { eventCodec, UndecodableEvent, type EventCodec, type Upcasters } from './codec.ts';
export {
  event,
  instant,
  nanoUsd,
  nullable,
  type EventOf,
  type Shape,
  type StreamSchema,
} from './stream-schema.ts';
export {
  commandHandler,
  loadAggregate,
  type CommandContext,
  type CommandHandlerDependencies,
  type CommandHandlerOptions,
  type Handled,
  type WithoutContext,
} from './command-handler.ts';
export type { KnownState, Loaded } from './read-stream.ts';
export { defaultNamespace, inNamespace, namespacePattern, streamOnDisk } from './namespace.ts';
export { inMemoryEventStore } from './in-memory-event-store.ts';
export { storeUntil } from './store-until.ts';
export { systemContext } from './system-context.ts';
export { UnreadableEvent } from './unreadable-event.ts';
