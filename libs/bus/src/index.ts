export type {
  Bus,
  BusLogFields,
  BusLogger,
  BusMessage,
  ConsumeOptions,
  ConsumerPlace,
  NoticeMark,
  NoticesRead,
  PublishNoticeOptions,
  StoredFact,
  StreamDefinition,
  SubscribeOptions,
} from './bus.ts';
export { connectBus, type BusOptions } from './connect-bus.ts';
export { examineBus, type BusExamination } from './examine-bus.ts';
export { createFactPublisher, type FactBus } from './create-fact-publisher.ts';
export { type EntityKind, entityToken } from './entity-names.ts';
export { accountNotice, reactionNotice } from './notices/account-notice.ts';
export {
  createNotices,
  type NoticeBus,
  type NoticeListener,
  type Notices,
} from './notices/follow-notices.ts';
export {
  type DirectoryFollower,
  followDirectoryFacts,
  requireWellFormed,
} from './follow-directory-facts.ts';
export { inMemoryBus, type InMemoryBus } from './in-memory-bus.ts';
export {
  creditStream,
  directoryStream,
  contentStream,
  endStream,
  failureStream,
  guardrailStream,
  isSubjectToken,
  limitStream,
  nameStream,
  noticeStream,
  subjectFilters,
  subjectMatches,
  subjects,
  usageStream,
} from './subjects.ts';
export { usageBundleBytesMax, usageBundleFactsMax } from './usage-bundle.ts';
