/** The caller of a request: the facts of its key that routing needs. */
export interface Principal {
  readonly accountId: string;
  readonly workspaceId: string;
  /** SHA-256 of the key, hex: its public handle. */
  readonly keyHash: string;
  /** null: no cap. */
  readonly limitNanoUsd: bigint | null;
  /** null: a lifetime cap. */
  readonly limitReset: 'daily' | 'weekly' | 'monthly' | null;
  readonly includeByokInLimit: boolean;
  /** The user that made the key. Absent if no user of the account did. */
  readonly creatorUserId?: string;
}
