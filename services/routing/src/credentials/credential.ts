/** A provider credential that an account brought along, as far as a request may be made with it. No secret. */
export interface Credential {
  readonly id: string;
  /** A slug of the provider registry. */
  readonly provider: string;
  /** Names the secret: another one after each rotation. */
  readonly secretId: string;
  /** The place of the credential among those of its provider, ascending. */
  readonly sortOrder: number;
  /** Tried only after the shared endpoints. */
  readonly isFallback: boolean;
  /** No shared endpoint of its provider for the requests that it covers. */
  readonly isRequired: boolean;
  /** No shared endpoint of its provider for any request. */
  readonly isByokOnly: boolean;
  /** The customer's own word that the provider keeps nothing; undefined: the provider's policy. */
  readonly declaredZdr: boolean | undefined;
  /** If undefined, the credential is for all models. The same holds for keys and users. */
  readonly models: ReadonlySet<string> | undefined;
  readonly keyHashes: ReadonlySet<string> | undefined;
  readonly userIds: ReadonlySet<string> | undefined;
}

/** The key of the cached credentials of a workspace. */
export interface CredentialQuestion {
  readonly accountId: string;
  readonly workspaceId: string;
}
