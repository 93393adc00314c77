/** The accounts and keys, which other services own, as the workspace service reads them. */
export interface Directory {
  /** Throws Fault not_found when there is no such account. */
  isOrganization(accountId: string): Promise<boolean>;
  /** Returns true if the account is in the beta of the plugin `alignment`. */
  usesAlignment(accountId: string): Promise<boolean>;
  /** Returns the active members among at most 100 users. The only member of a personal account is its owner. */
  activeMembers(
    accountId: string,
    userIds: readonly string[],
  ): Promise<readonly OrganizationMember[]>;
  /** Returns the workspaces of the account's API keys by their hash. Unknown and deleted keys are left out. */
  workspacesOfKeys(
    accountId: string,
    hashes: readonly string[],
  ): Promise<ReadonlyMap<string, string>>;
  /** A page of the active members, those who joined first first. */
  listMembers(accountId: string, page: MemberPage): Promise<ListedMembers>;
  /**
   * Closes the workspace to new keys, and then returns the number of keys that are there: with creators, of the keys
   * that they made. With keys it stays open. A closing lasts until `endClosing`, and for 30 s at most.
   */
  beginClosing(accountId: string, closed: ClosedToKeys): Promise<BegunClosing>;
  endClosing(accountId: string, token: string): Promise<void>;
}

export interface OrganizationMember {
  readonly userId: string;
  readonly role: 'admin' | 'member';
}

export interface MemberPage {
  readonly offset: number;
  /** 1 to 100. */
  readonly limit: number;
}

export interface ListedMembers {
  readonly members: readonly OrganizationMember[];
  readonly totalCount: number;
}

export interface BegunClosing {
  readonly keyCount: number;
  readonly token: string;
}

export interface ClosedToKeys {
  readonly workspaceId: string;
  /** At most 100; empty: every creator. */
  readonly creatorUserIds: readonly string[];
}
