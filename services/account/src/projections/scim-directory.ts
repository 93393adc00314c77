import { type Queryable, streamProjection } from '@sluice/read-model';
import type {
  ScimGroupDeleted,
  ScimGroupUpserted,
  ScimMappingCreated,
  ScimMappingDeleted,
  ScimMappingRoleChanged,
} from '../domain/scim-directory/events.ts';
import { scimDirectoryEvents } from '../store/scim-directory-events.ts';

/** Keeps `scim_groups` and `scim_mappings` for lists. Only the log knows the members of a group. */
export const scimDirectoryProjection = streamProjection(
  scimDirectoryEvents,
  { projection: 'account.scim_directory', version: 1, tables: ['scim_groups', 'scim_mappings'] },
  async (transaction, event) => {
    switch (event.type) {
      case 'ScimUsersChanged':
      case 'ScimGroupMembershipChanged':
        return undefined;
      case 'ScimGroupUpserted':
        return upsertGroup(transaction, event.data);
      case 'ScimGroupDeleted':
        return deleteGroup(transaction, event.data);
      case 'ScimMappingCreated':
        return insertMapping(transaction, event.data);
      case 'ScimMappingRoleChanged':
        return setRole(transaction, event.data);
      case 'ScimMappingDeleted':
        return deleteMapping(transaction, event.data);
    }
  },
);

async function upsertGroup(
  transaction: Queryable,
  { accountId, groupId, externalId, displayName, changedAt }: ScimGroupUpserted['data'],
): Promise<void> {
  await transaction.query({
    name: 'upsert-scim-group',
    text: `INSERT INTO scim_groups
             (account_id, group_id, external_id, display_name, is_deleted, created_at, updated_at)
           VALUES ($1, $2, $3, $4, false, $5, $5)
           ON CONFLICT (account_id, group_id) DO UPDATE
             SET display_name = EXCLUDED.display_name, is_deleted = false,
                 updated_at = EXCLUDED.updated_at`,
    values: [accountId, groupId, externalId, displayName, changedAt],
  });
}

async function deleteGroup(
  transaction: Queryable,
  { accountId, groupId, deletedAt }: ScimGroupDeleted['data'],
): Promise<void> {
  await transaction.query({
    name: 'delete-scim-group',
    text: `UPDATE scim_groups SET is_deleted = true, updated_at = $3
           WHERE account_id = $1 AND group_id = $2`,
    values: [accountId, groupId, deletedAt],
  });
}

async function insertMapping(
  transaction: Queryable,
  { accountId, mappingId, groupId, workspaceId, role, createdAt }: ScimMappingCreated['data'],
): Promise<void> {
  await transaction.query({
    name: 'insert-scim-mapping',
    text: `INSERT INTO scim_mappings
             (account_id, mapping_id, group_id, workspace_id, role, created_at, updated_at)
           VALUES ($1, $2, $3, $4, $5, $6, $6) ON CONFLICT (account_id, mapping_id) DO NOTHING`,
    values: [accountId, mappingId, groupId, workspaceId, role, createdAt],
  });
}

async function setRole(
  transaction: Queryable,
  { accountId, mappingId, role, changedAt }: ScimMappingRoleChanged['data'],
): Promise<void> {
  await transaction.query({
    name: 'set-scim-mapping-role',
    text: `UPDATE scim_mappings SET role = $3, updated_at = $4
           WHERE account_id = $1 AND mapping_id = $2`,
    values: [accountId, mappingId, role, changedAt],
  });
}

async function deleteMapping(
  transaction: Queryable,
  { accountId, mappingId }: ScimMappingDeleted['data'],
): Promise<void> {
  await transaction.query({
    name: 'delete-scim-mapping',
    text: 'DELETE FROM scim_mappings WHERE account_id = $1 AND mapping_id = $2',
    values: [accountId, mappingId],
  });
}
