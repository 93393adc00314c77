/** A credential as the read model shows it. */
export interface ByokCredentialRow {
  readonly credentialId: string;
  readonly accountId: string;
  readonly workspaceId: string;
  readonly provider: string;
  readonly label: string;
  readonly sortOrder: number;
  readonly createdAt: Date;
  readonly name: string | null;
  readonly disabled: boolean;
  readonly isFallback: boolean;
  readonly isRequired: boolean;
  readonly isByokOnly: boolean;
  readonly declaredZdr: boolean | null;
  readonly allowedModels: readonly string[] | null;
  readonly allowedApiKeyHashes: readonly string[] | null;
  readonly allowedUserIds: readonly string[] | null;
}

/** The columns of a ByokCredentialRow. */
export const byokCredentialColumns = `
  credential_id AS "credentialId", account_id AS "accountId", workspace_id AS "workspaceId",
  provider, label, sort_order AS "sortOrder", created_at AS "createdAt", name, disabled,
  is_fallback AS "isFallback", is_required AS "isRequired", is_byok_only AS "isByokOnly",
  declared_zdr AS "declaredZdr", allowed_models AS "allowedModels",
  allowed_api_key_hashes AS "allowedApiKeyHashes", allowed_user_ids AS "allowedUserIds"`;
