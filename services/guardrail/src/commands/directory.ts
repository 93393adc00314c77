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
  /** Those of the hashes, at most 100, that are keys of the account. */
  findKeys(accountId: string, hashes: readonly string[]): Promise<readonly KnownKey[]>;
  /** Those of the users, at most 100, that are active members of the account. */
  findMembers(accountId: string, userIds: readonly string[]): Promise<readonly string[]>;
}

/** The models and providers that a policy can name. */
export interface Catalog {
  models(): Promise<KnownModels>;
}

export interface KnownModels {
  /** Returns the canonical slug of a model; undefined: the model is unknown. */
  canonical(slug: string): string | undefined;
  /** True for a provider that only this installation has. */
  hasProvider(slug: string): boolean;
}
