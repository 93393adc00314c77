import type { AccountReads } from '@sluice/read-model';

export interface ScimSyncJobRow {
  readonly jobId: string;
  readonly status: string;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly syncedGroups: number | null;
  readonly deletedGroups: number | null;
  readonly errorMessage: string | null;
}

/** undefined when the organization has none of that id; the id is a UUID. */
export async function findScimSyncJob(
  readModel: AccountReads,
  { accountId, jobId }: { readonly accountId: string; readonly jobId: string },
): Promise<ScimSyncJobRow | undefined> {
  const [row] = await readModel.forAccount(accountId).query<ScimSyncJobRow>({
    name: 'find-scim-sync-job',
    text: `SELECT job_id AS "jobId", status, created_at AS "createdAt",
                  started_at AS "startedAt", finished_at AS "finishedAt",
                  synced_groups AS "syncedGroups", deleted_groups AS "deletedGroups",
                  error_message AS "errorMessage"
           FROM scim_sync_jobs WHERE account_id = $1 AND job_id = $2`,
    values: [accountId, jobId],
  });
  return row;
}
