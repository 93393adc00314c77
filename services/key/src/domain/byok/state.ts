import type { ByokCredentialAdded, ByokEvent } from './events.ts';

/** The provider credentials of one account, by id; a deleted one is not there. */
export type ByokCredentials = ReadonlyMap<string, ByokCredential>;

export interface ByokCredential extends Omit<ByokCredentialAdded['data'], 'addedAt'> {
  readonly createdAt: string;
}

export const initial: ByokCredentials = new Map();

export function evolve(credentials: ByokCredentials, event: ByokEvent): ByokCredentials {
  switch (event.type) {
    case 'ByokCredentialAdded': {
      const { addedAt, ...data } = event.data;
      return new Map([...credentials, [data.credentialId, { ...data, createdAt: addedAt }]]);
    }
    case 'ByokCredentialUpdated': {
      const { credentialId, settings } = event.data;
      return changed(credentials, credentialId, { settings });
    }
    case 'ByokCredentialRotated': {
      const { credentialId, secretId, label } = event.data;
      return changed(credentials, credentialId, { secretId, label });
    }
    case 'ByokCredentialDeleted': {
      const { credentialId } = event.data;
      return new Map([...credentials].filter(([id]) => id !== credentialId));
    }
  }
}

function changed(
  credentials: ByokCredentials,
  credentialId: string,
  changes: Partial<ByokCredential>,
): ByokCredentials {
  const credential = credentials.get(credentialId);
  if (!credential) return credentials;
  return new Map([...credentials, [credentialId, { ...credential, ...changes }]]);
}
