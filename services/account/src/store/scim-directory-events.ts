import { eventCodec } from '@sluice/es';
import type { ScimDirectoryEvent } from '../domain/scim-directory/events.ts';

/** The storage format of a directory in streams `scimDirectory-<account id>`. */
export const scimDirectoryEvents = eventCodec<ScimDirectoryEvent>({
  current: {
    ScimUsersChanged: 1,
    ScimGroupUpserted: 1,
    ScimGroupMembershipChanged: 1,
    ScimGroupDeleted: 1,
    ScimMappingCreated: 1,
    ScimMappingRoleChanged: 1,
    ScimMappingDeleted: 1,
  },
});

export const scimDirectoryStreamPrefix = 'scimDirectory-';
