import type { ApiKeyKind, KeyDigest } from './events.ts';

export type ApiKeyCommand = IssueApiKey | ChangeApiKey | DeleteApiKey;

/** The kind of the caller. Keys administer regular keys only; people administer management keys. */
export type ActorType = 'management_key' | 'api_key' | 'user' | 'system';

/** Values as they were asked for: nothing of it is checked yet, except the secret's derivatives. */
export interface IssueApiKey {
  readonly type: 'IssueApiKey';
  readonly actorType: ActorType;
  readonly hash: string;
  readonly digest: KeyDigest;
  readonly label: string;
  readonly kind: ApiKeyKind;
  readonly name: string;
  readonly accountId: string;
  readonly workspaceId: string;
  /** null: no cap. */
  readonly limitNanoUsd: bigint | null;
  /** null: lifetime. */
  readonly limitReset: string | null;
  readonly includeByokInLimit: boolean;
  /** null: never. */
  readonly expiresAt: string | null;
  /** null: a system key. */
  readonly creatorUserId: string | null;
  /** null: the key has no user. */
  readonly externalUser: string | null;
  /** null: the caller. */
  readonly source: string | null;
  /** The caller supplied the secret; it was not minted here. */
  readonly isSupplied: boolean;
  /** ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string;
}

/** An absent field stays as it is. */
export interface ChangeApiKey {
  readonly type: 'ChangeApiKey';
  readonly actorType: ActorType;
  readonly accountId: string;
  readonly changes: {
    readonly name?: string;
    readonly disabled?: boolean;
    readonly limitNanoUsd?: bigint | null;
    readonly limitReset?: string | null;
    readonly includeByokInLimit?: boolean;
  };
  readonly occurredAt: string;
}

export interface DeleteApiKey {
  readonly type: 'DeleteApiKey';
  readonly actorType: ActorType;
  readonly accountId: string;
  readonly occurredAt: string;
}
