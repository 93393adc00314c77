import type { ScimDirectoryEvent, ScimMappingCreated, ScimUser } from './events.ts';

export interface ScimDirectory {
  /** The users by the directory's ids. A person who left is inactive. */
  readonly users: ReadonlyMap<string, ScimUser>;
  readonly groups: ReadonlyMap<string, ScimGroup>;
  /** Also those of groups that were deleted: they open nothing. */
  readonly mappings: ReadonlyMap<string, ScimMapping>;
  /** All workspaces that a mapping ever opened: those without a mapping must be updated as well. */
  readonly workspaceIds: ReadonlySet<string>;
}

export interface ScimGroup {
  readonly groupId: string;
  readonly externalId: string;
  readonly displayName: string;
  /** The directory's ids of the members. */
  readonly memberIds: ReadonlySet<string>;
  /** The job that found it missing; undefined: it is there. */
  readonly deletedBy: string | undefined;
}

export interface ScimMapping extends Omit<ScimMappingCreated['data'], 'accountId'> {
  readonly updatedAt: string;
}

export const initial: ScimDirectory = {
  users: new Map(),
  groups: new Map(),
  mappings: new Map(),
  workspaceIds: new Set(),
};

export function evolve(directory: ScimDirectory, event: ScimDirectoryEvent): ScimDirectory {
  switch (event.type) {
    case 'ScimUsersChanged': {
      const changed = event.data.users.map((user) => [user.externalId, user] as const);
      return { ...directory, users: new Map([...directory.users, ...changed]) };
    }
    case 'ScimGroupUpserted': {
      const { groupId, externalId, displayName } = event.data;
      const memberIds = directory.groups.get(groupId)?.memberIds ?? new Set();
      const group = { groupId, externalId, displayName, memberIds, deletedBy: undefined };
      return withGroup(directory, group);
    }
    case 'ScimGroupMembershipChanged': {
      const group = directory.groups.get(event.data.groupId);
      if (!group) return directory;
      const removed = new Set(event.data.removed);
      const left = [...group.memberIds].filter((id) => !removed.has(id));
      return withGroup(directory, { ...group, memberIds: new Set([...left, ...event.data.added]) });
    }
    case 'ScimGroupDeleted': {
      const group = directory.groups.get(event.data.groupId);
      if (!group) return directory;
      return withGroup(directory, { ...group, deletedBy: event.data.jobId });
    }
    case 'ScimMappingCreated': {
      const { accountId: _accountId, ...data } = event.data;
      const workspaceIds = new Set([...directory.workspaceIds, data.workspaceId]);
      return withMapping({ ...directory, workspaceIds }, { ...data, updatedAt: data.createdAt });
    }
    case 'ScimMappingRoleChanged': {
      const { mappingId, role, changedAt } = event.data;
      const mapping = directory.mappings.get(mappingId);
      return mapping
        ? withMapping(directory, { ...mapping, role, updatedAt: changedAt })
        : directory;
    }
    case 'ScimMappingDeleted': {
      const mappings = new Map(directory.mappings);
      mappings.delete(event.data.mappingId);
      return { ...directory, mappings };
    }
  }
}

/** The mapping, unless its group was deleted: then it is as if there were none. */
export function livingMapping(
  directory: ScimDirectory,
  mappingId: string,
): ScimMapping | undefined {
  const mapping = directory.mappings.get(mappingId);
  return mapping && isLiving(directory, mapping.groupId) ? mapping : undefined;
}

/** True for a group that the directory has. */
export function isLiving({ groups }: ScimDirectory, groupId: string): boolean {
  const group = groups.get(groupId);
  return group !== undefined && group.deletedBy === undefined;
}

function withGroup(directory: ScimDirectory, group: ScimGroup): ScimDirectory {
  return { ...directory, groups: new Map([...directory.groups, [group.groupId, group]]) };
}

function withMapping(directory: ScimDirectory, mapping: ScimMapping): ScimDirectory {
  return { ...directory, mappings: new Map([...directory.mappings, [mapping.mappingId, mapping]]) };
}
