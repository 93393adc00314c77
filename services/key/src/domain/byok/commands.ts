import type { ByokCredentialAdded, ByokSettings } from './events.ts';

export type ByokCommand =
  | AddByokCredential
  | ChangeByokCredential
  | DeleteByokCredential
  | DeleteByokOfWorkspace
  | ForgetApiKey;

/** The place of a sealed secret, and its visible part. */
export interface SealedSecret {
  readonly secretId: string;
  readonly label: string;
}

/** Settings as they were asked for. Provider, workspace, and keys and secret by their form, are checked. */
export interface AddByokCredential extends Omit<
  ByokCredentialAdded['data'],
  'secretId' | 'label' | 'sortOrder' | 'addedAt'
> {
  readonly type: 'AddByokCredential';
  readonly secret: SealedSecret;
  /** ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string;
}

/** An absent setting stays as it is. */
export interface ChangeByokCredential {
  readonly type: 'ChangeByokCredential';
  readonly credentialId: string;
  readonly changes: Partial<ByokSettings>;
  /** If undefined, the secret stays. */
  readonly secret: SealedSecret | undefined;
  readonly occurredAt: string;
}

export interface DeleteByokCredential {
  readonly type: 'DeleteByokCredential';
  readonly credentialId: string;
  readonly occurredAt: string;
}

/** The workspace is gone. */
export interface DeleteByokOfWorkspace {
  readonly type: 'DeleteByokOfWorkspace';
  readonly workspaceId: string;
  readonly occurredAt: string;
}

/** The key is gone. */
export interface ForgetApiKey {
  readonly type: 'ForgetApiKey';
  readonly keyHash: string;
  readonly occurredAt: string;
}
