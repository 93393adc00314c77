export type {
  Bus,
  BusLogFields,
  BusLogger,
  BusMessage,
  ConsumeOptions,
  StoredFact,
  StreamDefinition,
  SubscribeOptions,
} from './bus.ts';
export { connectBus, type BusOptions } from './connect-bus.ts';
export { examineBus, type BusExamination } from './examine-bus.ts';
export { type EntityKind, entityToken, namePublisher } from './entity-names.ts';
export { inMemoryBus, type InMemoryBus } from './in-memory-bus.ts';
export {
  creditStream,
  directoryStream,
  failureStream,
  isSubjectToken,
  limitStream,
  nameStream,
  subjectFilters,
  subjectMatches,
  subjects,
  usageStream,
} from './subjects.ts';
export { usageBundleBytesMax, usageBundleFactsMax } from './usage-bundle.ts';
