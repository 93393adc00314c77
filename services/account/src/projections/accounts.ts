import { type Queryable, streamProjection } from '@sluice/read-model';
import type {
  AccountOpened,
  EntitlementChanged,
  OrganizationSettingsChanged,
} from '../domain/account/events.ts';
import { accountEvents } from '../store/account-events.ts';

/** Keeps the table `accounts`: one row per account. Credits are counted by the ledger alone. */
export const accountsProjection = streamProjection(
  accountEvents,
  { projection: 'account.accounts', version: 1, tables: ['accounts'] },
  async (transaction, event) => {
    switch (event.type) {
      case 'AccountOpened':
        return insertAccount(transaction, event.data);
      case 'CreditsGranted':
      case 'CreditsPurchased':
      case 'CreditsRefunded':
        return undefined;
      case 'OrganizationSettingsChanged':
        return setSettings(transaction, event.data);
      case 'EntitlementChanged':
        return setEntitlement(transaction, event.data);
    }
  },
);

async function insertAccount(transaction: Queryable, data: AccountOpened['data']): Promise<void> {
  await transaction.query({
    name: 'insert-account',
    text: `INSERT INTO accounts
             (account_id, kind, name, owner_user_id, default_workspace_id, created_at)
           VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (account_id) DO NOTHING`,
    values: [
      data.accountId,
      data.kind,
      data.name,
      data.ownerUserId,
      data.defaultWorkspaceId,
      data.openedAt,
    ],
  });
}

async function setSettings(
  transaction: Queryable,
  { accountId, isFilteredModelCatalogEnabled }: OrganizationSettingsChanged['data'],
): Promise<void> {
  await transaction.query({
    name: 'set-organization-settings',
    text: 'UPDATE accounts SET is_filtered_model_catalog_enabled = $2 WHERE account_id = $1',
    values: [accountId, isFilteredModelCatalogEnabled],
  });
}

const columnOf = { scim: 'is_scim_enabled', alignment: 'is_alignment_enabled' } as const;

async function setEntitlement(
  transaction: Queryable,
  { accountId, entitlement, isEnabled }: EntitlementChanged['data'],
): Promise<void> {
  const column = columnOf[entitlement];
  await transaction.query({
    name: `set-${entitlement}-entitlement`,
    text: `UPDATE accounts SET ${column} = $2 WHERE account_id = $1`,
    values: [accountId, isEnabled],
  });
}
