import { Fault } from '@sluice/errors';
import { CredentialSettings } from '@sluice/protos/sluice/key/v1/byok';
import type { CredentialCalls } from '../credentials/ask-credentials.ts';

/** The key service without its log: what was set last holds for all workspaces. */
export interface InMemoryCredentials extends CredentialCalls {
  isUp: boolean;
  /** The credentials by id, in the order of the list. */
  readonly kept: Map<string, KeptCredential>;
  /** The questions in order: `list` or the id of a credential. */
  readonly asked: string[];
}

export interface KeptCredential extends Partial<CredentialSettings> {
  readonly provider: string;
  readonly secret: string;
  /** The key service cannot open it: it was sealed under another key. */
  readonly isUnreadable?: boolean;
}

const noSettings = CredentialSettings.create();

export function inMemoryCredentials(): InMemoryCredentials {
  const credentials: InMemoryCredentials = {
    isUp: true,
    kept: new Map(),
    asked: [],
    async listUsable({ accountId, workspaceId }) {
      credentials.asked.push('list');
      if (!credentials.isUp) throw new Fault('unavailable');
      const kept = [...credentials.kept].filter(([, { disabled }]) => disabled !== true);
      return {
        credentials: kept.map(
          (
            [credentialId, { provider, secret: _secret, isUnreadable: _isUnreadable, ...changes }],
            index,
          ) => {
            const settings = { ...noSettings, ...changes };
            const place = { credentialId, accountId, workspaceId, provider, sortOrder: index };
            const credential = { ...place, label: '...', createdAt: '', settings };
            return { credential, secretId: credentialId };
          },
        ),
      };
    },
    async openSecret({ credentialId }) {
      credentials.asked.push(credentialId);
      if (!credentials.isUp) throw new Fault('unavailable');
      const kept = credentials.kept.get(credentialId);
      if (!kept || kept.disabled === true) throw new Fault('not_found');
      if (kept.isUnreadable === true) throw new Fault('credential_unavailable');
      return { secret: kept.secret };
    },
  };
  return credentials;
}
