import { type EventOf, instant, type Shape } from '@sluice/es';
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
    ScimUsersChanged: Type.Object(
      { ...pulled, users: Type.Array(scimUser), changedAt: instant },
      { description: 'The directory says something new of people; at most 500 at once.' },
    ),
    ScimGroupUpserted: Type.Object(
      {
        ...pulled,
        groupId: Type.String(),
        externalId: directoryId,
        displayName: Type.String(),
        changedAt: instant,
      },
      {
        description:
          'The directory has a group, under this name. A group that was deleted is there again.',
      },
    ),
    ScimGroupMembershipChanged: Type.Object(
      {
        ...pulled,
        groupId: Type.String(),
        added: Type.Array(directoryId),
        removed: Type.Array(directoryId),
        changedAt: instant,
      },
      {
        description:
          "People joined or left a group of the directory; at most 1,000 at once, by the directory's ids.",
      },
    ),
    ScimGroupDeleted: Type.Object(
      { ...pulled, groupId: Type.String(), deletedAt: instant },
      {
        description:
          'The directory no longer has the group. The access that it gave ends; its mappings wait for its return.',
      },
    ),
    ScimMappingCreated: Type.Object(
      {
        ...mapping,
        groupId: Type.String(),
        workspaceId: Type.String(),
        role: scimRole,
        createdAt: instant,
      },
      { description: 'A group opens a workspace from now on.' },
    ),
    ScimMappingRoleChanged: Type.Object(
      { ...mapping, role: scimRole, changedAt: instant },
      { description: 'A group opens a workspace with another role from now on.' },
    ),
    ScimMappingDeleted: Type.Object(
      {
        ...mapping,
        workspaceId: Type.String(),
        keepMembers: Type.Boolean({
          description: 'The people whom it let in stay, with the role of now.',
        }),
        deletedAt: instant,
      },
      { description: 'A group opens a workspace no more.' },
    ),
  },
};
export type ScimDirectoryEvent = EventOf<typeof scimDirectoryStream>;
export type ScimGroupUpserted = EventOf<typeof scimDirectoryStream, 'ScimGroupUpserted'>;
export type ScimGroupDeleted = EventOf<typeof scimDirectoryStream, 'ScimGroupDeleted'>;
export type ScimMappingCreated = EventOf<typeof scimDirectoryStream, 'ScimMappingCreated'>;
export type ScimMappingRoleChanged = EventOf<typeof scimDirectoryStream, 'ScimMappingRoleChanged'>;
export type ScimMappingDeleted = EventOf<typeof scimDirectoryStream, 'ScimMappingDeleted'>;
