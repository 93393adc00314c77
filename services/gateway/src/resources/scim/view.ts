import type { ScimGroup, ScimMapping, ScimSyncJob } from '@sluice/protos/sluice/account/v1/scim';
import { present } from '../../clients/present.ts';
import type { GroupView, MappingView, SyncJobView } from './schema.ts';

/** The public form of a group of the directory. */
export function groupView(organizationId: string, group: ScimGroup): GroupView {
  return {
    id: group.groupId,
    organization_id: organizationId,
    display_name: group.displayName,
    external_id: group.externalId || null,
    created_at: group.createdAt,
    updated_at: group.updatedAt,
  };
}

/** The public form of what a group opens. */
export function mappingView(organizationId: string, sent: ScimMapping | undefined): MappingView {
  const mapping = present(sent);
  return {
    id: mapping.mappingId,
    organization_id: organizationId,
    scim_group_id: mapping.groupId,
    workspace_id: mapping.workspaceId,
    role: mapping.role,
    created_at: mapping.createdAt,
    updated_at: mapping.updatedAt,
  };
}

/** The public form of a job: what it found only when it succeeded, what went wrong only when it failed. */
export function syncJobView(job: ScimSyncJob): SyncJobView {
  return {
    id: job.jobId,
    status: job.status,
    created_at: job.createdAt,
    started_at: job.startedAt ?? null,
    finished_at: job.finishedAt ?? null,
    synced_groups: job.syncedGroups ?? null,
    deleted_groups: job.deletedGroups ?? null,
    error_message: job.errorMessage ?? null,
  };
}
