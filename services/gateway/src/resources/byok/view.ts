import type { Credential, Entries } from '@sluice/protos/sluice/key/v1/byok';
import { present } from '../../clients/present.ts';
import type { CredentialView } from './schema.ts';

/** The public form of a provider credential: of its secret only the label. */
export function credentialView(sent: Credential | undefined): CredentialView {
  const credential = present(sent);
  const settings = present(credential.settings);
  return {
    id: credential.credentialId,
    provider: credential.provider,
    label: credential.label,
    name: settings.name ?? null,
    workspace_id: credential.workspaceId,
    disabled: settings.disabled,
    is_fallback: settings.isFallback,
    is_required: settings.isRequired,
    is_byok_only: settings.isByokOnly,
    declared_zdr: settings.declaredZdr ?? null,
    allowed_models: listOrNull(settings.allowedModels),
    allowed_api_key_hashes: listOrNull(settings.allowedApiKeyHashes),
    allowed_user_ids: listOrNull(settings.allowedUserIds),
    sort_order: credential.sortOrder,
    created_at: credential.createdAt,
  };
}

function listOrNull(entries: Entries | undefined): string[] | null {
  return entries ? [...entries.values] : null;
}
