import { event, type EventOf, instant, type Shape } from '@sluice/es';
import { Type } from 'typebox';

const scimRole = Type.Enum(['admin', 'member']);
export type ScimRole = Shape<typeof scimRole>;

const directoryId = Type.String({ description: "The directory's own id." });

const scimUser = Type.Object(
  {
    externalId: directoryId,
    email: Type.String({
      description:
        'By which the directory and the organization mean the same person; in lower case.',
    }),
    isActive: Type.Boolean(),
  },
  { description: 'A person in the directory. A person who left it is inactive.' },
);
export type ScimUser = Shape<typeof scimUser>;

const pulled = { accountId: Type.String(), jobId: Type.String() };
const mapping = { accountId: Type.String(), mappingId: Type.String() };

/** The events of an organization's directory. Names and shapes are the storage format. */
export const scimDirectoryStream = {
  category: 'scimDirectory',
  id: '<account id>',
  description: "An organization's directory, and the workspaces that its groups open.",
  events: {
    ScimUsersChanged: event('The directory says something new of people; at most 500 at once.', {
      ...pulled,
      users: Type.Array(scimUser),
      changedAt: instant,
    }),
    ScimGroupUpserted: event(
      'The directory has a group, under this name. A group that was deleted is there again.',
      {
        ...pulled,
        groupId: Type.String(),
        externalId: directoryId,
        displayName: Type.String(),
        changedAt: instant,
      },
    ),
    ScimGroupMembershipChanged: event(
      "People joined or left a group of the directory; at most 1,000 at once, by the directory's ids.",
      {
        ...pulled,
        groupId: Type.String(),
        added: Type.Array(directoryId),
        removed: Type.Array(directoryId),
        changedAt: instant,
      },
    ),
    ScimGroupDeleted: event(
      'The directory no longer has the group. The access that it gave ends; its mappings wait for its return.',
      { ...pulled, groupId: Type.String(), deletedAt: instant },
    ),
    ScimMappingCreated: event('A group opens a workspace from now on.', {
      ...mapping,
      groupId: Type.String(),
      workspaceId: Type.String(),
      role: scimRole,
      createdAt: instant,
    }),
    ScimMappingRoleChanged: event('A group opens a workspace with another role from now on.', {
      ...mapping,
      role: scimRole,
      changedAt: instant,
    }),
    ScimMappingDeleted: event('A group opens a workspace no more.', {
      ...mapping,
      workspaceId: Type.String(),
      keepMembers: Type.Boolean({
        description: 'The people whom it let in stay, with the role of now.',
      }),
      deletedAt: instant,
    }),
  },
};
export type ScimDirectoryEvent = EventOf<typeof scimDirectoryStream>;
export type ScimGroupUpserted = EventOf<typeof scimDirectoryStream, 'ScimGroupUpserted'>;
export type ScimGroupDeleted = EventOf<typeof scimDirectoryStream, 'ScimGroupDeleted'>;
export type ScimMappingCreated = EventOf<typeof scimDirectoryStream, 'ScimMappingCreated'>;
export type ScimMappingRoleChanged = EventOf<typeof scimDirectoryStream, 'ScimMappingRoleChanged'>;
export type ScimMappingDeleted = EventOf<typeof scimDirectoryStream, 'ScimMappingDeleted'>;
