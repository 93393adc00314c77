import { join } from 'node:path';
import fc from 'fast-check';
import { storedEventsSpecification } from '@sluice/es/testing';
import { scimDirectory } from '../domain/scim-directory/decide.ts';
import { scimDirectoryEvents } from './scim-directory-events.ts';

const text = fc.string();
const pulled = { accountId: text, jobId: fc.uuid() };
const role = fc.constantFrom('admin' as const, 'member' as const);
const event = <const Type extends string, Data>(type: Type, data: fc.Arbitrary<Data>) =>
  fc.record({ type: fc.constant(type), data });

storedEventsSpecification({
  codec: scimDirectoryEvents,
  decider: scimDirectory,
  goldenDirectory: join(import.meta.dirname, '../domain/scim-directory/golden'),
  events: {
    ScimUsersChanged: event(
      'ScimUsersChanged',
      fc.record({
        ...pulled,
        users: fc.array(fc.record({ externalId: text, email: text, isActive: fc.boolean() })),
        changedAt: text,
      }),
    ),
    ScimGroupUpserted: event(
      'ScimGroupUpserted',
      fc.record({
        ...pulled,
        groupId: fc.uuid(),
        externalId: text,
        displayName: text,
        changedAt: text,
      }),
    ),
    ScimGroupMembershipChanged: event(
      'ScimGroupMembershipChanged',
      fc.record({
        ...pulled,
        groupId: fc.uuid(),
        added: fc.array(text),
        removed: fc.array(text),
        changedAt: text,
      }),
    ),
    ScimGroupDeleted: event(
      'ScimGroupDeleted',
      fc.record({ ...pulled, groupId: fc.uuid(), deletedAt: text }),
    ),
    ScimMappingCreated: event(
      'ScimMappingCreated',
      fc.record({
        accountId: text,
        mappingId: fc.uuid(),
        groupId: fc.uuid(),
        workspaceId: fc.uuid(),
        role,
        createdAt: text,
      }),
    ),
    ScimMappingRoleChanged: event(
      'ScimMappingRoleChanged',
      fc.record({ accountId: text, mappingId: fc.uuid(), role, changedAt: text }),
    ),
    ScimMappingDeleted: event(
      'ScimMappingDeleted',
      fc.record({
        accountId: text,
        mappingId: fc.uuid(),
        workspaceId: fc.uuid(),
        keepMembers: fc.boolean(),
        deletedAt: text,
      }),
    ),
  },
});
