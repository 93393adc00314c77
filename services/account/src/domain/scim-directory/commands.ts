import type { ScimUser } from './events.ts';

interface Of {
  readonly accountId: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string;
}

/** Applies the users that a pull found. They are checked and bounded. */
export interface ApplyUsers extends Of {
  readonly type: 'ApplyUsers';
  readonly jobId: string;
  readonly users: readonly ScimUser[];
}

/** Retires the users who are not among these: a bounded number at once, the rest with the next command. */
export interface RetireUsers extends Of {
  readonly type: 'RetireUsers';
  readonly jobId: string;
  readonly presentIds: ReadonlySet<string>;
}

/** Applies the groups that a pull found. They are checked and bounded. */
export interface ApplyGroups extends Of {
  readonly type: 'ApplyGroups';
  readonly jobId: string;
  readonly groups: readonly PulledGroup[];
}

export interface PulledGroup {
  readonly groupId: string;
  readonly externalId: string;
  readonly displayName: string;
  readonly memberIds: readonly string[];
}

/** Deletes the groups that are not among these: the directory no longer has them. */
export interface DeleteMissingGroups extends Of {
  readonly type: 'DeleteMissingGroups';
  readonly jobId: string;
  readonly presentIds: ReadonlySet<string>;
}

/** Values as they were asked for: nothing of it is checked yet, except that there is the workspace. */
export interface CreateMapping extends Of {
  readonly type: 'CreateMapping';
  readonly mappingId: string;
  readonly groupId: string;
  readonly workspaceId: string;
  readonly role: string;
}

export interface ChangeMappingRole extends Of {
  readonly type: 'ChangeMappingRole';
  readonly mappingId: string;
  readonly role: string;
}

export interface DeleteMapping extends Of {
  readonly type: 'DeleteMapping';
  readonly mappingId: string;
  readonly keepMembers: boolean;
}

/** The workspace is gone. */
export interface RemoveWorkspaceMappings extends Of {
  readonly type: 'RemoveWorkspaceMappings';
  readonly workspaceId: string;
}

export type PullCommand = ApplyUsers | RetireUsers | ApplyGroups | DeleteMissingGroups;
export type MappingCommand =
  | CreateMapping
  | ChangeMappingRole
  | DeleteMapping
  | RemoveWorkspaceMappings;
export type ScimDirectoryCommand = PullCommand | MappingCommand;
