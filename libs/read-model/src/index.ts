export type { AccountQueryable, AccountReads } from './account-queries.ts';
export { openDatabase, type Database, type DatabaseOptions } from './database.ts';
export type { Connection } from './connection.ts';
export { PoisonedEvent } from './apply-batch.ts';
export { completeWithin } from './complete-within.ts';
export { eachAtOnce } from './each-at-once.ts';
export { eachInOrder } from './each-in-order.ts';
export {
  examineDatabase,
  examineMigrations,
  type DatabaseExamination,
  type MigrationStanding,
} from './examine.ts';
export { StatementFailed } from './failure.ts';
export { endStreams, foldStreams, parseFoldedState, type FoldedStreams } from './folded-streams.ts';
export { migrate, readMigrations } from './migrate.ts';
export { publishLatest } from './publish-latest.ts';
export { type Projection, type ReadModels, subscribedPrefixes } from './projection.ts';
export type { Projector, ProjectorLogger, ProjectorOptions } from './projector-options.ts';
export { startProjector } from './projector.ts';
export type { ProjectorStatus } from './projector-status.ts';
export { compareProjection, type Comparison, type RowDifference } from './rebuild/compare.ts';
export { eventsBehind } from './rebuild/events-behind.ts';
export { readLog, type ReadLogOptions } from './rebuild/read-log.ts';
export { rebuildProjection, type RebuildResult } from './rebuild/rebuild.ts';
export type { RebuildProgress } from './rebuild/rebuild-progress.ts';
export { RebuildRefused } from './rebuild/refused.ts';
export type { RebuildOptions } from './rebuild/shadow.ts';
export { missingSetup, type MissingSetup, setupSql } from './setup/require-setup.ts';
export { sharesSessions } from './setup/require-sessions.ts';
export { type Schema, schemaOf, type SchemaOptions } from './setup/schema.ts';
export { SetupMissing } from './setup/setup-missing.ts';
export { requireHeld } from './require-held.ts';
export { storedProjections, type StoredProjection } from './rebuild/status.ts';
export { acceptHistory, type AcceptOptions, endAcceptance } from './same-log/accept.ts';
export { AnotherNamespace, assertNamespace } from './same-log/assert-namespace.ts';
export { divergenceText, EventStoreDiverged, type Divergence } from './same-log/divergence.ts';
export { examineLog, type LogStanding } from './same-log/examine-log.ts';
export { currentHistory, type History, historyOf, historyOfRevision } from './same-log/history.ts';
export { installationEvent, nameInstallation } from './same-log/installation.ts';
export { installationSchema } from './same-log/known-events.ts';
export type { Mark } from './same-log/known-log.ts';
export { findParting, marksOfSchemas, type Parting, schemaExists } from './same-log/parting.ts';
export { rewindReaction } from './same-log/rewind.ts';
export type { LogWatchOptions } from './same-log/log-watch.ts';
export { watchedEventStore, type WatchedEventStore } from './same-log/watched-event-store.ts';
export {
  everyProjection,
  type SkippedEvent,
  skipEvent,
  type Standing,
  standingOf,
} from './standstill/skipped-events.ts';
export { requireReadable, type Standstill } from './standstill/standstill.ts';
export { type Shown, untilShown } from './until-shown.ts';
export type { Queryable, SqlValue, Statement } from './statement.ts';
export { installationStream } from '@sluice/es';
export { type Page, readPage } from './read-page.ts';
export { streamProjection } from './stream-projection.ts';
export { streamReaction } from './stream-reaction.ts';
