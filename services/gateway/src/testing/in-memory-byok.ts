import { Fault } from '@sluice/errors';
import type { Credential } from '@sluice/protos/sluice/key/v1/byok';
import type { Clock } from '@sluice/clock-and-ids';
import type { ByokCalls } from '../clients/calls.ts';
import { present } from '../clients/present.ts';

/** The key service's calls about provider credentials over a map; it keeps no secret. */
export function inMemoryByok(clock: Clock, defaultWorkspaceId: string): ByokCalls {
  const credentials = new Map<string, Credential>();
  const own = (accountId: string, credentialId: string): Credential => {
    const credential = credentials.get(credentialId);
    if (credential?.accountId !== accountId) throw new Fault('not_found');
    return credential;
  };
  const put = (credential: Credential) => {
    credentials.set(credential.credentialId, credential);
    return { credential };
  };
  return {
    addCredential: async ({ context, provider, secret, workspaceId, settings }) =>
      put({
        credentialId: context?.commandId ?? '',
        accountId: context?.accountId ?? '',
        workspaceId: workspaceId || defaultWorkspaceId,
        provider,
        label: `...${secret.slice(-4)}`,
        settings,
        sortOrder: credentials.size,
        createdAt: clock.now().toISOString(),
      }),
    async updateCredential({ context, credentialId, secret, ...changes }) {
      const credential = own(context?.accountId ?? '', credentialId);
      const before = present(credential.settings);
      const { name, declaredZdr, allowedModels, allowedApiKeyHashes, allowedUserIds } = changes;
      return put({
        ...credential,
        label: secret === undefined ? credential.label : `...${secret.slice(-4)}`,
        settings: {
          name: name ? name.name : before.name,
          disabled: changes.disabled ?? before.disabled,
          isFallback: changes.isFallback ?? before.isFallback,
          isRequired: changes.isRequired ?? before.isRequired,
          isByokOnly: changes.isByokOnly ?? before.isByokOnly,
          declaredZdr: declaredZdr ? declaredZdr.declaredZdr : before.declaredZdr,
          allowedModels: allowedModels ? allowedModels.entries : before.allowedModels,
          allowedApiKeyHashes: allowedApiKeyHashes
            ? allowedApiKeyHashes.entries
            : before.allowedApiKeyHashes,
          allowedUserIds: allowedUserIds ? allowedUserIds.entries : before.allowedUserIds,
        },
      });
    },
    async deleteCredential({ context, credentialId }) {
      credentials.delete(own(context?.accountId ?? '', credentialId).credentialId);
      return {};
    },
    getCredential: async ({ accountId, credentialId }) => ({
      credential: own(accountId, credentialId),
    }),
    async listCredentials({ accountId, provider, offset, limit }) {
      const found = [...credentials.values()].filter(
        (one) =>
          one.accountId === accountId && (provider === undefined || one.provider === provider),
      );
      const page = found.slice(offset, offset + limit);
      return { credentials: page, totalCount: BigInt(found.length) };
    },
  };
}
