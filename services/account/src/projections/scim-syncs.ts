import { type Queryable, streamProjection } from '@sluice/read-model';
import type {
  ScimSyncFinished,
  ScimSyncRequested,
  ScimSyncStarted,
} from '../domain/scim-sync/events.ts';
import { scimSyncEvents } from '../store/scim-sync-events.ts';

/** Keeps the table `scim_sync_jobs`: one row per job, finished or not. */
export const scimSyncsProjection = streamProjection(
  scimSyncEvents,
  { projection: 'account.scim_syncs', version: 1, tables: ['scim_sync_jobs'] },
  async (transaction, event) => {
    switch (event.type) {
      case 'ScimSyncRequested':
        return insertJob(transaction, event.data);
      case 'ScimSyncStarted':
        return start(transaction, event.data);
      case 'ScimSyncFinished':
        return finish(transaction, event.data);
    }
  },
);

async function insertJob(
  transaction: Queryable,
  { accountId, jobId, requestedAt }: ScimSyncRequested['data'],
): Promise<void> {
  await transaction.query({
    name: 'insert-scim-sync-job',
    text: `INSERT INTO scim_sync_jobs (account_id, job_id, status, created_at)
           VALUES ($1, $2, 'queued', $3) ON CONFLICT (account_id, job_id) DO NOTHING`,
    values: [accountId, jobId, requestedAt],
  });
}

async function start(
  transaction: Queryable,
  { accountId, jobId, startedAt }: ScimSyncStarted['data'],
): Promise<void> {
  await transaction.query({
    name: 'start-scim-sync-job',
    text: `UPDATE scim_sync_jobs SET status = 'running', started_at = $3
           WHERE account_id = $1 AND job_id = $2 AND finished_at IS NULL`,
    values: [accountId, jobId, startedAt],
  });
}

async function finish(transaction: Queryable, data: ScimSyncFinished['data']): Promise<void> {
  await transaction.query({
    name: 'finish-scim-sync-job',
    text: `UPDATE scim_sync_jobs
           SET status = $3, finished_at = $4, synced_groups = $5, deleted_groups = $6,
               error_message = $7
           WHERE account_id = $1 AND job_id = $2`,
    values: [
      data.accountId,
      data.jobId,
      data.status,
      data.finishedAt,
      data.syncedGroups,
      data.deletedGroups,
      data.errorMessage,
    ],
  });
}
