/**
 * The events of an organization's directory, and of the workspaces that its groups open. Names and shapes
 * are the storage format: see store/.
 */
export type ScimDirectoryEvent =
  | ScimUsersChanged
  | ScimGroupUpserted
  | ScimGroupMembershipChanged
  | ScimGroupDeleted
  | ScimMappingCreated
  | ScimMappingRoleChanged
  | ScimMappingDeleted;

export type ScimRole = 'admin' | 'member';

/** A person in the directory. A person who left it is inactive. */
export interface ScimUser {
  /** The directory's own id. */
  readonly externalId: string;
  /** By which the directory and the organization mean the same person; in lower case. */
  readonly email: string;
  readonly isActive: boolean;
}

/** The directory says something new of people; at most 500 at once. */
export interface ScimUsersChanged {
  readonly type: 'ScimUsersChanged';
  readonly data: {
    readonly accountId: string;
    readonly jobId: string;
    readonly users: readonly ScimUser[];
    readonly changedAt: string;
  };
}

/** The directory has a group, under this name. A group that was deleted is there again. */
export interface ScimGroupUpserted {
  readonly type: 'ScimGroupUpserted';
  readonly data: {
    readonly accountId: string;
    readonly jobId: string;
    readonly groupId: string;
    /** The directory's own id. */
    readonly externalId: string;
    readonly displayName: string;
    readonly changedAt: string;
  };
}

/** People joined or left a group of the directory; at most 1,000 at once, by the directory's ids. */
export interface ScimGroupMembershipChanged {
  readonly type: 'ScimGroupMembershipChanged';
  readonly data: {
    readonly accountId: string;
    readonly jobId: string;
    readonly groupId: string;
    readonly added: readonly string[];
    readonly removed: readonly string[];
    readonly changedAt: string;
  };
}

/** The directory no longer has the group. The access that it gave ends; its mappings wait for its return. */
export interface ScimGroupDeleted {
  readonly type: 'ScimGroupDeleted';
  readonly data: {
    readonly accountId: string;
    readonly jobId: string;
    readonly groupId: string;
    readonly deletedAt: string;
  };
}

/** A group opens a workspace from now on. */
export interface ScimMappingCreated {
  readonly type: 'ScimMappingCreated';
  readonly data: {
    readonly accountId: string;
    readonly mappingId: string;
    readonly groupId: string;
    readonly workspaceId: string;
    readonly role: ScimRole;
    readonly createdAt: string;
  };
}

/** A group opens a workspace with another role from now on. */
export interface ScimMappingRoleChanged {
  readonly type: 'ScimMappingRoleChanged';
  readonly data: {
    readonly accountId: string;
    readonly mappingId: string;
    readonly role: ScimRole;
    readonly changedAt: string;
  };
}

/** A group opens a workspace no more. */
export interface ScimMappingDeleted {
  readonly type: 'ScimMappingDeleted';
  readonly data: {
    readonly accountId: string;
    readonly mappingId: string;
    readonly workspaceId: string;
    /** Whom it let in stays, with the role of now. */
    readonly keepMembers: boolean;
    readonly deletedAt: string;
  };
}
