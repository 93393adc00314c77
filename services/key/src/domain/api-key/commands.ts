import type { ApiKeyIssued } from './events.ts';

export type ApiKeyCommand = IssueApiKey | ChangeApiKey | DeleteApiKey;

/** The kind of the caller. Keys administer regular keys only; people administer management keys. */
export type ActorType = 'management_key' | 'api_key' | 'user' | 'system';

/** Values as they were asked for: nothing of it is checked yet, except the secret's derivatives. */
export interface IssueApiKey extends Omit<
  ApiKeyIssued['data'],
  'limitNanoUsd' | 'limitReset' | 'source' | 'issuedAt'
> {
  readonly type: 'IssueApiKey';
  readonly actorType: ActorType;
  /** null: no cap. */
  readonly limitNanoUsd: bigint | null;
  /** null: lifetime. */
  readonly limitReset: string | null;
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
