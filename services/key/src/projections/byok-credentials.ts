import { type Queryable, type SqlValue, streamProjection } from '@sluice/read-model';
import type { ByokCredentialAdded, ByokEvent, ByokSettings } from '../domain/byok/events.ts';
import { byokEvents } from '../store/byok-events.ts';

/** Keeps the table `byok_credentials`: one row per credential that is not deleted. No secret. */
export const byokCredentialsProjection = streamProjection(
  byokEvents,
  { projection: 'key.byok_credentials', version: 1, tables: ['byok_credentials'] },
  apply,
);

async function apply(transaction: Queryable, event: ByokEvent): Promise<void> {
  switch (event.type) {
    case 'ByokCredentialAdded':
      return insert(transaction, event.data);
    case 'ByokCredentialUpdated':
      return update(transaction, event.data.credentialId, event.data.settings);
    case 'ByokCredentialRotated': {
      const { credentialId, secretId, label } = event.data;
      const text =
        'UPDATE byok_credentials SET secret_id = $2, label = $3 WHERE credential_id = $1';
      const values = [credentialId, secretId, label];
      await transaction.query({ name: 'rotate-byok-credential', text, values });
      return;
    }
    case 'ByokCredentialDeleted': {
      const text = 'DELETE FROM byok_credentials WHERE credential_id = $1';
      const values = [event.data.credentialId];
      await transaction.query({ name: 'delete-byok-credential', text, values });
    }
  }
}

async function insert(transaction: Queryable, data: ByokCredentialAdded['data']): Promise<void> {
  await transaction.query({
    name: 'insert-byok-credential',
    text: `INSERT INTO byok_credentials
             (credential_id, account_id, workspace_id, provider, secret_id, label, sort_order,
              created_at, name, disabled, is_fallback, is_required, is_byok_only, declared_zdr,
              allowed_models, allowed_api_key_hashes, allowed_user_ids)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
           ON CONFLICT (credential_id) DO NOTHING`,
    values: [
      data.credentialId,
      data.accountId,
      data.workspaceId,
      data.provider,
      data.secretId,
      data.label,
      data.sortOrder,
      data.addedAt,
      ...valuesOf(data.settings),
    ],
  });
}

async function update(
  transaction: Queryable,
  credentialId: string,
  settings: ByokSettings,
): Promise<void> {
  await transaction.query({
    name: 'update-byok-credential',
    text: `UPDATE byok_credentials SET
             name = $2, disabled = $3, is_fallback = $4, is_required = $5, is_byok_only = $6,
             declared_zdr = $7, allowed_models = $8, allowed_api_key_hashes = $9,
             allowed_user_ids = $10
           WHERE credential_id = $1`,
    values: [credentialId, ...valuesOf(settings)],
  });
}

/** In the order of both statements. */
function valuesOf(settings: ByokSettings): readonly SqlValue[] {
  return [
    settings.name,
    settings.disabled,
    settings.isFallback,
    settings.isRequired,
    settings.isByokOnly,
    settings.declaredZdr,
    settings.allowedModels,
    settings.allowedApiKeyHashes,
    settings.allowedUserIds,
  ];
}
