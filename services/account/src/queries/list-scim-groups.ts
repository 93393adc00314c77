import { type AccountReads, type Page, readPage } from '@sluice/read-model';

export interface ScimGroupRow {
  readonly groupId: string;
  readonly externalId: string;
  readonly displayName: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const columns = `group_id AS "groupId", external_id AS "externalId", display_name AS "displayName",
  created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Lists the groups that the directory of an organization has, by name. */
export async function listScimGroups(
  readModel: AccountReads,
  page: { readonly accountId: string; readonly offset: number; readonly limit: number },
): Promise<Page<ScimGroupRow>> {
  return await readPage(readModel.forAccount(page.accountId), {
    ...page,
    name: 'scim-groups',
    columns,
    from: 'scim_groups WHERE account_id = $1 AND NOT is_deleted',
    orderBy: 'display_name, group_id',
    values: [page.accountId],
  });
}
