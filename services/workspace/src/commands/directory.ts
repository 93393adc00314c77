/** The accounts and keys, which other services own, as the workspace service reads them. */
export interface Directory {
  /** Throws Fault not_found when there is no such account. */
  isOrganization(accountId: string): Promise<boolean>;
  /** Those of at most 100 users that are active members; of a personal account its owner. */
  activeMembers(
    accountId: string,
    userIds: readonly string[],
  ): Promise<readonly OrganizationMember[]>;
  /** A page of the active members, those who joined first first. */
  listMembers(accountId: string, page: MemberPage): Promise<ListedMembers>;
  /** How many keys of the workspace are not deleted; with creators: of those that they made. */
  countKeys(accountId: string, counted: CountedKeys): Promise<number>;
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

export interface CountedKeys {
  readonly workspaceId: string;
  /** At most 100; empty: every creator. */
  readonly creatorUserIds: readonly string[];
}
