/** The accounts, members and workspaces, which other services own, as the key service reads them. */
export interface Directory {
  /** Throws Fault not_found when there is no such account. */
  account(accountId: string): Promise<KnownAccount>;
  /** False also for a deleted one, once the read model of workspaces shows that. Needs no event store. */
  workspaceExists(accountId: string, workspaceId: string): Promise<boolean>;
  /** False from the moment the deletion of the workspace is in the log. */
  workspaceIsAlive(accountId: string, workspaceId: string): Promise<boolean>;
  /** False from the moment the deletion of the workspace or the removal of the user from it is in the log. */
  workspaceHasMember(accountId: string, workspaceId: string, userId: string): Promise<boolean>;
  /** Returns the users (at most 100) who are or were members of the account. */
  members(accountId: string, userIds: readonly string[]): Promise<readonly KnownMember[]>;
  /** Returns the users (at most 100) who are members of the workspace. */
  workspaceMembers(
    accountId: string,
    workspaceId: string,
    userIds: readonly string[],
  ): Promise<readonly string[]>;
}

export interface KnownMember {
  readonly userId: string;
  readonly isActive: boolean;
}

export interface KnownAccount {
  readonly isPersonal: boolean;
  readonly ownerUserId: string;
  readonly defaultWorkspaceId: string;
}
