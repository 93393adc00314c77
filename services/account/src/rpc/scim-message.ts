import { Fault } from '@sluice/errors';
import type { ScimGroup, ScimMapping, ScimSyncJob } from '@sluice/protos/sluice/account/v1/scim';
import { livingMapping, type ScimDirectory } from '../domain/scim-directory/state.ts';
import type { ScimSyncJobRow } from '../queries/find-scim-sync-job.ts';
import type { ScimGroupRow } from '../queries/list-scim-groups.ts';
import type { ScimMappingRow } from '../queries/scim-mappings.ts';

export function groupMessage({ createdAt, updatedAt, ...row }: ScimGroupRow): ScimGroup {
  return { ...row, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

export function mappingMessage({ createdAt, updatedAt, ...row }: ScimMappingRow): ScimMapping {
  return { ...row, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

/** Throws not_found where it was deleted in the meantime. */
export function mappingStateMessage(directory: ScimDirectory, mappingId: string): ScimMapping {
  const mapping = livingMapping(directory, mappingId);
  if (!mapping) throw new Fault('not_found');
  return mapping;
}

export function jobMessage(row: ScimSyncJobRow): ScimSyncJob {
  return {
    jobId: row.jobId,
    status: row.status,
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString(),
    finishedAt: row.finishedAt?.toISOString(),
    syncedGroups: row.syncedGroups ?? undefined,
    deletedGroups: row.deletedGroups ?? undefined,
    errorMessage: row.errorMessage ?? undefined,
  };
}
