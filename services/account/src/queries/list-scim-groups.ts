import type { AccountReads } from '@sluice/read-model';

export interface ScimGroupRow {
  readonly groupId: string;
  readonly externalId: string;
  readonly displayName: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface ScimGroupPage {
  readonly groups: readonly ScimGroupRow[];
  /** The number of rows of all pages. */
  readonly totalCount: number;
}

/** The groups that the directory of an organization has, by name. */
export async function listScimGroups(
  readModel: AccountReads,
  page: { readonly accountId: string; readonly offset: number; readonly limit: number },
): Promise<ScimGroupPage> {
  const { accountId, offset, limit } = page;
  const groups = await readModel.forAccount(accountId).query<ScimGroupRow>({
    name: 'list-scim-groups',
    text: `SELECT group_id AS "groupId", external_id AS "externalId",
                  display_name AS "displayName", created_at AS "createdAt",
                  updated_at AS "updatedAt"
           FROM scim_groups WHERE account_id = $1 AND NOT is_deleted
           ORDER BY display_name, group_id OFFSET $2 LIMIT $3`,
    values: [accountId, offset, limit],
  });
  const [counted] = await readModel.forAccount(accountId).query<{ total: number }>({
    name: 'count-scim-groups',
    text: `SELECT count(*)::int AS total FROM scim_groups
           WHERE account_id = $1 AND NOT is_deleted`,
    values: [accountId],
  });
  return { groups, totalCount: counted?.total ?? 0 };
}
