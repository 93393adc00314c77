/** The events of an account's own provider credentials. No secret: `secretId` names a sealed row. */
export type ByokEvent =
  | ByokCredentialAdded
  | ByokCredentialUpdated
  | ByokCredentialRotated
  | ByokCredentialDeleted;

/** The settings of a credential that people change. */
export interface ByokSettings {
  /** null: it has none. */
  readonly name: string | null;
  readonly disabled: boolean;
  /** Tried only after the shared endpoints. */
  readonly isFallback: boolean;
  /** No shared endpoint of its provider for the models that it covers. */
  readonly isRequired: boolean;
  /** No shared endpoint of its provider for any model. */
  readonly isByokOnly: boolean;
  /** The customer's own word that the provider keeps nothing; null: the provider's policy. */
  readonly declaredZdr: boolean | null;
  /** null: every model. */
  readonly allowedModels: readonly string[] | null;
  /** null: every key. Empty once all keys on it were deleted: no key. */
  readonly allowedApiKeyHashes: readonly string[] | null;
  /** null: every user. */
  readonly allowedUserIds: readonly string[] | null;
}

/** An account brought a credential of its own along, at the end of those of its provider. */
export interface ByokCredentialAdded {
  readonly type: 'ByokCredentialAdded';
  readonly data: {
    readonly credentialId: string;
    readonly accountId: string;
    readonly workspaceId: string;
    /** A slug of the provider registry. */
    readonly provider: string;
    /** Names the row of the sealed secret, until it is erased. */
    readonly secretId: string;
    /** The secret with all but its ends left out. */
    readonly label: string;
    readonly settings: ByokSettings;
    /** Its place among those of its provider in its workspace, ascending. */
    readonly sortOrder: number;
    readonly addedAt: string;
  };
}

/** Its settings are these from now on, all of them. */
export interface ByokCredentialUpdated {
  readonly type: 'ByokCredentialUpdated';
  readonly data: {
    readonly credentialId: string;
    readonly settings: ByokSettings;
    readonly changedAt: string;
  };
}

/** Another secret took the place of the one before, which is erased. */
export interface ByokCredentialRotated {
  readonly type: 'ByokCredentialRotated';
  readonly data: {
    readonly credentialId: string;
    readonly secretId: string;
    /** Names the secret that is erased. */
    readonly replacedSecretId: string;
    readonly label: string;
    readonly changedAt: string;
  };
}

/** It is gone for good, and its secret is erased. */
export interface ByokCredentialDeleted {
  readonly type: 'ByokCredentialDeleted';
  readonly data: {
    readonly credentialId: string;
    /** Names the secret that is erased. */
    readonly secretId: string;
    readonly changedAt: string;
  };
}
