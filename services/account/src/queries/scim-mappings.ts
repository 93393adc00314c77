import { type AccountReads, type Page, readPage } from '@sluice/read-model';

export interface ScimMappingRow {
  readonly mappingId: string;
  readonly groupId: string;
  readonly workspaceId: string;
  readonly role: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const columns = `mapping_id AS "mappingId", group_id AS "groupId",
  workspace_id AS "workspaceId", role, scim_mappings.created_at AS "createdAt",
  scim_mappings.updated_at AS "updatedAt"`;
/** Selects the mappings of groups that the directory has. The other mappings wait, and are not shown. */
const living = `scim_mappings JOIN scim_groups USING (account_id, group_id)
  WHERE account_id = $1 AND NOT is_deleted`;

/** Lists the mappings of an organization, the newest first. */
export async function listScimMappings(
  readModel: AccountReads,
  page: { readonly accountId: string; readonly offset: number; readonly limit: number },
): Promise<Page<ScimMappingRow>> {
  return await readPage(readModel.forAccount(page.accountId), {
    ...page,
    name: 'scim-mappings',
    columns,
    from: living,
    orderBy: 'scim_mappings.created_at DESC, mapping_id DESC',
    values: [page.accountId],
  });
}

/** undefined when the organization has none of that id; the id is a UUID. */
export async function findScimMapping(
  readModel: AccountReads,
  { accountId, mappingId }: { readonly accountId: string; readonly mappingId: string },
): Promise<ScimMappingRow | undefined> {
  const [row] = await readModel.forAccount(accountId).query<ScimMappingRow>({
    name: 'find-scim-mapping',
    text: `SELECT ${columns} FROM ${living} AND mapping_id = $2`,
    values: [accountId, mappingId],
  });
  return row;
}
