export type { Actor, Event, EventMetadata } from './event.ts';
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
export { goneStreamOf, metastreamOf } from './gone-stream.ts';
export { installationStream } from './installation-stream.ts';
export { isOwnEvent } from './own-event.ts';
export { fold, type Decider } from './decider.ts';
export { eventCodec, UndecodableEvent, type CodecDefinition, type EventCodec } from './codec.ts';
export {
  commandHandler,
  loadAggregate,
  type CommandContext,
  type CommandHandlerDependencies,
  type Handled,
  type Loaded,
} from './command-handler.ts';
export { defaultNamespace, inNamespace, namespacePattern, streamOnDisk } from './namespace.ts';
export { inMemoryEventStore } from './in-memory-event-store.ts';
export { systemContext } from './system-context.ts';
export { UnreadableEvent } from './unreadable-event.ts';
