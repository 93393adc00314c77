/** The events of the members of a workspace. Names and shapes are the storage format: see store/. */
export type WorkspaceMembersEvent =
  | WorkspaceMemberAdded
  | WorkspaceMemberRoleChanged
  | WorkspaceMemberSourcesChanged
  | WorkspaceMemberRemoved;

export type WorkspaceRole = 'admin' | 'member';

/** The role that each source gives to a member; null: none. The higher role counts. */
export interface MemberSources {
  /** People, by the API. */
  readonly manualRole: WorkspaceRole | null;
  /** The directory of the organization. */
  readonly directoryRole: WorkspaceRole | null;
}

/** Names the account of the workspace. Each event has it, so that no event needs another one to be understood. */
interface MemberOf {
  readonly accountId: string;
  readonly workspaceId: string;
  readonly userId: string;
  readonly changedAt: string;
}

/** A user got access to the workspace. */
export interface WorkspaceMemberAdded {
  readonly type: 'WorkspaceMemberAdded';
  readonly data: MemberOf & MemberSources;
}

/** A member became an admin, or no longer is one. */
export interface WorkspaceMemberRoleChanged {
  readonly type: 'WorkspaceMemberRoleChanged';
  readonly data: MemberOf & MemberSources;
}

/** The role stayed; by whom the member has it changed. */
export interface WorkspaceMemberSourcesChanged {
  readonly type: 'WorkspaceMemberSourcesChanged';
  readonly data: MemberOf & MemberSources;
}

/** A user lost access to the workspace. */
export interface WorkspaceMemberRemoved {
  readonly type: 'WorkspaceMemberRemoved';
  readonly data: MemberOf;
}
