/** A destination of a workspace, with its secrets. It is held in memory only. */
export interface Destination {
  readonly id: string;
  readonly accountId: string;
  readonly workspaceId: string;
  readonly type: string;
  /** Valid by the schema of its type, with the defaults filled in. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Headers that the account adds to each request. */
  readonly headers: Readonly<Record<string, string>>;
  /** The fields of its generations that it asks for. */
  readonly shows: Shown;
}

/** The switches of a destination about the metadata that it gets. */
export interface Shown {
  readonly cost: boolean;
  /** The key, the member and the workspace. */
  readonly identity: boolean;
  /** The page and the program that sent the request. */
  readonly requestContext: boolean;
}
