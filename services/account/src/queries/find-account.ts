import type { AccountReads } from '@sluice/read-model';

export interface AccountRow {
  readonly accountId: string;
  readonly kind: 'personal' | 'organization';
  readonly name: string;
  readonly ownerUserId: string;
  readonly defaultWorkspaceId: string;
  readonly createdAt: Date;
  readonly isFilteredModelCatalogEnabled: boolean;
  readonly isScimEnabled: boolean;
  readonly isAlignmentEnabled: boolean;
}

/** The columns of an AccountRow. */
export const accountColumns = `account_id AS "accountId", kind, name, owner_user_id AS "ownerUserId",
  default_workspace_id AS "defaultWorkspaceId", created_at AS "createdAt",
  is_filtered_model_catalog_enabled AS "isFilteredModelCatalogEnabled",
  is_scim_enabled AS "isScimEnabled", is_alignment_enabled AS "isAlignmentEnabled"`;

/** The account; undefined when there is none of that id. */
export async function findAccount(
  readModel: AccountReads,
  accountId: string,
): Promise<AccountRow | undefined> {
  const [row] = await readModel.forAccount(accountId).query<AccountRow>({
    name: 'find-account',
    text: `SELECT ${accountColumns} FROM accounts WHERE account_id = $1`,
    values: [accountId],
  });
  return row;
}
