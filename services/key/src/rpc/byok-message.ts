import { givenFields } from '@sluice/es';
import type {
  Credential,
  CredentialSettings,
  Entries,
  UpdateCredentialRequest,
} from '@sluice/protos/sluice/key/v1/byok';
import type { ByokSettings } from '../domain/byok/events.ts';
import type { ByokCredential } from '../domain/byok/state.ts';
import type { ByokCredentialRow } from '../queries/byok-credential-row.ts';

export function fromCredential({ settings, ...credential }: ByokCredential): Credential {
  return message({ ...credential, ...settings });
}

export function fromCredentialRow(row: ByokCredentialRow): Credential {
  return message({ ...row, createdAt: row.createdAt.toISOString() });
}

export function settingsOf(sent: CredentialSettings | undefined): ByokSettings {
  return {
    name: sent?.name ?? null,
    disabled: sent?.disabled ?? false,
    isFallback: sent?.isFallback ?? false,
    isRequired: sent?.isRequired ?? false,
    isByokOnly: sent?.isByokOnly ?? false,
    declaredZdr: sent?.declaredZdr ?? null,
    allowedModels: sent?.allowedModels?.values ?? null,
    allowedApiKeyHashes: sent?.allowedApiKeyHashes?.values ?? null,
    allowedUserIds: sent?.allowedUserIds?.values ?? null,
  };
}

/** A field that is left out stays as it is. */
export function changesOf(sent: UpdateCredentialRequest): Partial<ByokSettings> {
  const { disabled, isFallback, isRequired, isByokOnly } = sent;
  const { name, declaredZdr, allowedModels, allowedApiKeyHashes, allowedUserIds } = sent;
  return givenFields({
    name: name && (name.name ?? null),
    disabled,
    isFallback,
    isRequired,
    isByokOnly,
    declaredZdr: declaredZdr && (declaredZdr.declaredZdr ?? null),
    allowedModels: allowedModels && (allowedModels.entries?.values ?? null),
    allowedApiKeyHashes: allowedApiKeyHashes && (allowedApiKeyHashes.entries?.values ?? null),
    allowedUserIds: allowedUserIds && (allowedUserIds.entries?.values ?? null),
  });
}

type Shown = Omit<ByokCredential, 'secretId' | 'settings'> & ByokSettings;

/** Named field by field: where the secret lies stays inside. */
function message(shown: Shown): Credential {
  return {
    credentialId: shown.credentialId,
    accountId: shown.accountId,
    workspaceId: shown.workspaceId,
    provider: shown.provider,
    label: shown.label,
    sortOrder: shown.sortOrder,
    createdAt: shown.createdAt,
    settings: {
      name: shown.name ?? undefined,
      disabled: shown.disabled,
      isFallback: shown.isFallback,
      isRequired: shown.isRequired,
      isByokOnly: shown.isByokOnly,
      declaredZdr: shown.declaredZdr ?? undefined,
      allowedModels: entries(shown.allowedModels),
      allowedApiKeyHashes: entries(shown.allowedApiKeyHashes),
      allowedUserIds: entries(shown.allowedUserIds),
    },
  };
}

function entries(values: readonly string[] | null): Entries | undefined {
  return values === null ? undefined : { values: [...values] };
}
