/** The workspaces, which another service owns, as the account service reads and changes them. */
export interface Workspaces {
  workspaceExists(accountId: string, workspaceId: string): Promise<boolean>;
  /** All that the directory opens there. Throws Fault not_found when there is no such workspace. */
  setDirectoryMemberships(
    change: WorkspaceChange,
    memberships: readonly Membership[],
  ): Promise<void>;
  /** Lets members keep the access that the directory no longer gives. Throws as above. */
  keepDirectoryMembers(change: WorkspaceChange, userIds: readonly string[]): Promise<void>;
}

export interface WorkspaceChange {
  readonly accountId: string;
  readonly workspaceId: string;
  /** A UUID: a change that is sent twice is made once. */
  readonly commandId: string;
}

export interface Membership {
  readonly userId: string;
  readonly role: 'admin' | 'member';
}
