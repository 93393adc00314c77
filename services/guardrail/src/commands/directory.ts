/** A regular key that is not deleted. */
export interface KnownKey {
  readonly hash: string;
  readonly label: string;
  readonly name: string;
  readonly workspaceId: string;
}

/** The accounts, workspaces and keys, which other services own, as the guardrail service reads them. */
export interface Directory {
  /** Throws Fault not_found when there is no such account. */
  defaultWorkspaceId(accountId: string): Promise<string>;
  workspaceExists(accountId: string, workspaceId: string): Promise<boolean>;
  /** Yields the ids of the workspaces of the account that are not deleted. */
  workspaceIds(accountId: string): AsyncIterable<readonly string[]>;
  /** Returns the keys of the account among at most 100 hashes. */
  findKeys(accountId: string, hashes: readonly string[]): Promise<readonly KnownKey[]>;
  /** Returns the active members of the account among at most 100 users. */
  findMembers(accountId: string, userIds: readonly string[]): Promise<readonly string[]>;
}

/** The models and providers that a policy can name. */
export interface Catalog {
  /** Returns the models and providers among these names that this installation has. */
  find(names: CatalogNames): Promise<KnownNames>;
}

export interface CatalogNames {
  readonly models: readonly string[];
  readonly providers: readonly string[];
}

export interface KnownNames {
  /** The canonical slugs of the known models, by the name that was asked for. */
  readonly canonical: ReadonlyMap<string, string>;
  readonly providers: ReadonlySet<string>;
}
