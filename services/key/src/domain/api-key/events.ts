/** The events of an API key. Names and shapes are the storage format: see store/. No secrets. */
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

/** The origin of a key. Only the connect client changes a key that it made. */
export type ApiKeySource = 'api' | 'dashboard' | 'connect_client';

/** When the spending window of a limit starts anew, UTC; null: never, the limit is for life. */
export type LimitReset = 'daily' | 'weekly' | 'monthly';

/** HMAC-SHA256 of the whole key under a server-side pepper. Without the pepper it says nothing. */
export interface KeyDigest {
  readonly pepperVersion: number;
  /** 64 lower-case hex digits. */
  readonly hmacSha256: string;
}

/** A key was made. Its secret was shown once and is not stored: the digest can only recognize it. */
export interface ApiKeyIssued {
  readonly type: 'ApiKeyIssued';
  readonly data: {
    /** SHA-256 of the whole key, lower-case hex: the public handle. */
    readonly hash: string;
    readonly digest: KeyDigest;
    /** The key with its middle left out, for people to tell keys apart. */
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
    /** The partner's own id of the user of the key; null: none. */
    readonly externalUser: string | null;
    readonly source: ApiKeySource;
    readonly issuedAt: string;
  };
}

interface Change<Type extends string, Data extends object = object> {
  readonly type: Type;
  readonly data: Data & { readonly changedAt: string };
}

/** The name that people see was changed. */
export type ApiKeyRenamed = Change<'ApiKeyRenamed', { readonly name: string }>;
/** From now on every request with the key is refused, until it is enabled. */
export type ApiKeyDisabled = Change<'ApiKeyDisabled'>;
/** The key works again. */
export type ApiKeyEnabled = Change<'ApiKeyEnabled'>;
/** The spending limit of the key was set, changed or removed. No usage is reset. */
export type ApiKeyLimitChanged = Change<
  'ApiKeyLimitChanged',
  { readonly limitNanoUsd: string | null }
>;
/** The window that the limit counts in was changed; no usage is reset. */
export type ApiKeyLimitResetChanged = Change<
  'ApiKeyLimitResetChanged',
  { readonly limitReset: LimitReset | null }
>;
/** Whether usage on credentials of one's own counts against the limit was changed. */
export type ApiKeyByokInclusionChanged = Change<
  'ApiKeyByokInclusionChanged',
  { readonly includeByokInLimit: boolean }
>;
/** The key is gone for good; its usage history stays. */
export type ApiKeyDeleted = Change<'ApiKeyDeleted'>;
