import {
  type Bus,
  contentStream,
  followDirectoryFacts,
  requireWellFormed,
  subjectFilters,
} from '@sluice/bus';
import { type Clock, isPlainId, isUuid } from '@sluice/clock-and-ids';
import type { Logger } from '@sluice/logging';
import { WorkspaceDeleted } from '@sluice/protos/sluice/directory/v1/directory_events';
import type { Database } from '@sluice/read-model';
import type { Metrics } from '@sluice/telemetry';
import type { LoggedContents } from '../domain/logged-contents.ts';
import { readContents } from '../messages/read-contents.ts';
import { type ContentBounds, dropWorkspace, storeContents } from '../store/contents.ts';

export interface LogContentsDeps {
  readonly bus: Bus;
  readonly database: Database;
  readonly contentBounds: ContentBounds;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'observerContents'>;
  readonly signal: AbortSignal;
}

const batchMax = 100;
const batchBytesMax = 4_194_304;
const batchEveryMs = 50;

/**
 * Stores the contents of generations that the bus delivers, and deletes those of deleted workspaces, until the signal
 * aborts.
 */
export async function logContents(deps: LogContentsDeps): Promise<void> {
  const { bus, database, clock, metrics, signal } = deps;
  await Promise.all([
    bus.consume({
      stream: contentStream.name,
      durable: 'observer-contents',
      filter: subjectFilters.contentsLogged,
      batchMax,
      batchBytesMax,
      batchEveryMs,
      signal,
      read: readContents,
      handle: (batch) => store(deps, batch),
    }),
    followDirectoryFacts(deps, [
      {
        durable: 'observer-workspace-deleted',
        filter: subjectFilters.workspaceDeleted,
        async handle(data) {
          const { accountId, workspaceId } = WorkspaceDeleted.fromJSON(data);
          requireWellFormed(isPlainId(accountId) && isUuid(workspaceId));
          const deleted = await dropWorkspace(database, { accountId, workspaceId }, clock.now());
          metrics.observerContents.add(deleted, { outcome: 'deleted' });
        },
      },
    ]),
  ]);
}

/** Throws if the database is away: the batch then comes again. */
async function store(
  { database, contentBounds: bounds, clock, logger, metrics }: LogContentsDeps,
  batch: readonly (LoggedContents | undefined)[],
): Promise<void> {
  const readable = batch.filter((one) => one !== undefined);
  const unreadable = batch.length - readable.length;
  const now = clock.now();
  const stored = await database.transaction((transaction) =>
    storeContents(transaction, readable, { bounds, now }),
  );
  for (const [outcome, count] of Object.entries({ ...stored, unreadable }))
    metrics.observerContents.add(count, { outcome });
  if (unreadable > 0) logger.error('messages with contents cannot be read', { count: unreadable });
  if (stored.full > 0)
    logger.error('contents are not stored: their workspace, or the store, is full', {
      count: stored.full,
    });
}
