import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, derivedId } from '@sluice/clock-and-ids';
import { requireAccepted } from '@sluice/errors';
import { type EventStore, systemContext } from '@sluice/es';
import type { Logger } from '@sluice/logging';
import type { Database } from '@sluice/read-model';
import { uploadMsMax } from '../domain/workspace-files/decide.ts';
import { lapsedUploads } from '../queries/lapsed-uploads.ts';
import { workspaceFilesHandler } from '../store/workspace-files-events.ts';

export interface SweepOptions {
  readonly eventStore: EventStore;
  readonly database: Database;
  readonly readModel: Database;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly signal: AbortSignal;
}

const intervalMs = 60_000;
/** Uploads that are ended before the next pause. */
const batchMax = 100;

/**
 * Abandons the uploads that ended with their process, at the start and every minute, until the signal aborts. Their
 * contents are removed by the reaction to it.
 */
export async function sweepUploads(options: SweepOptions): Promise<void> {
  const { logger, signal } = options;
  while (!signal.aborted) {
    try {
      const count = await sweep(options);
      if (count > 0) logger.info('uploads that did not end are abandoned', { count });
    } catch (error) {
      logger.warn('uploads that did not end wait to be abandoned', { error });
    }
    await delay(intervalMs, undefined, { signal }).catch(() => {});
  }
}

async function sweep(options: SweepOptions): Promise<number> {
  const { eventStore, database, readModel, clock } = options;
  const handle = workspaceFilesHandler(eventStore, readModel);
  const now = clock.now();
  const begunBefore = new Date(now.getTime() - uploadMsMax);
  const lapsed = await lapsedUploads(database, { begunBefore, limit: batchMax });
  for (const key of lapsed) {
    const occurredAt = now.toISOString();
    const commandId = derivedId('abandon upload', key.fileId);
    const context = systemContext('workspace', { commandId, cause: 'sweep', occurredAt });
    const command = { type: 'AbandonUpload', ...key, occurredAt } as const;
    requireAccepted(await handle(key.workspaceId, command, context));
  }
  return lapsed.length;
}
