/** What happens to an API key. Names and shapes are the storage format: see store/. No secrets. */
export type ApiKeyEvent =
  | ApiKeyIssued
  | ApiKeyRenamed
  | ApiKeyDisabled
  | ApiKeyEnabled
  | ApiKeyLimitChanged
  | ApiKeyLimitResetChanged
  | ApiKeyByokInclusionChanged
  | ApiKeyDeleted;

export type ApiKeyKind = 'regular' | 'management';

/** When the spending window of a limit starts anew, UTC; null: never, the limit is for life. */
export type LimitReset = 'daily' | 'weekly' | 'monthly';

/** HMAC-SHA256 of the whole key under a server-side pepper. Without the pepper it says nothing. */
export interface KeyDigest {
  readonly pepperVersion: number;
  /** 64 lower-case hex digits. */
  readonly hmacSha256: string;
}

export interface ApiKeyIssued {
  readonly type: 'ApiKeyIssued';
  readonly data: {
    /** SHA-256 of the whole key, lower-case hex: the public handle. */
    readonly hash: string;
    readonly digest: KeyDigest;
    readonly label: string;
    readonly kind: ApiKeyKind;
    readonly name: string;
    readonly accountId: string;
    readonly workspaceId: string;
    /** A whole number of nano-USD in decimal digits; null: no cap. */
    readonly limitNanoUsd: string | null;
    readonly limitReset: LimitReset | null;
    readonly includeByokInLimit: boolean;
    /** ISO 8601, UTC, milliseconds; null: never. */
    readonly expiresAt: string | null;
    /** null: a system key. */
    readonly creatorUserId: string | null;
    readonly issuedAt: string;
  };
}

interface Change<Type extends string, Data extends object = object> {
  readonly type: Type;
  readonly data: Data & { readonly changedAt: string };
}

export type ApiKeyRenamed = Change<'ApiKeyRenamed', { readonly name: string }>;
export type ApiKeyDisabled = Change<'ApiKeyDisabled'>;
export type ApiKeyEnabled = Change<'ApiKeyEnabled'>;
export type ApiKeyLimitChanged = Change<
  'ApiKeyLimitChanged',
  { readonly limitNanoUsd: string | null }
>;
export type ApiKeyLimitResetChanged = Change<
  'ApiKeyLimitResetChanged',
  { readonly limitReset: LimitReset | null }
>;
export type ApiKeyByokInclusionChanged = Change<
  'ApiKeyByokInclusionChanged',
  { readonly includeByokInLimit: boolean }
>;
export type ApiKeyDeleted = Change<'ApiKeyDeleted'>;
