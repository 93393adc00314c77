import type { AccountReads } from '@sluice/read-model';

export interface ScimMappingRow {
  readonly mappingId: string;
  readonly groupId: string;
  readonly workspaceId: string;
  readonly role: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface ScimMappingPage {
  readonly mappings: readonly ScimMappingRow[];
  /** The number of rows of all pages. */
  readonly totalCount: number;
}

const columns = `mapping_id AS "mappingId", group_id AS "groupId",
  workspace_id AS "workspaceId", role, scim_mappings.created_at AS "createdAt",
  scim_mappings.updated_at AS "updatedAt"`;
/** Selects the mappings of groups that the directory has. The other mappings wait, and are not shown. */
const living = `scim_mappings JOIN scim_groups USING (account_id, group_id)
  WHERE account_id = $1 AND NOT is_deleted`;

/** The mappings of an organization, the newest first. */
export async function listScimMappings(
  readModel: AccountReads,
  page: { readonly accountId: string; readonly offset: number; readonly limit: number },
): Promise<ScimMappingPage> {
  const { accountId, offset, limit } = page;
  const mappings = await readModel.forAccount(accountId).query<ScimMappingRow>({
    name: 'list-scim-mappings',
    text: `SELECT ${columns} FROM ${living}
           ORDER BY scim_mappings.created_at DESC, mapping_id DESC OFFSET $2 LIMIT $3`,
    values: [accountId, offset, limit],
  });
  const [counted] = await readModel.forAccount(accountId).query<{ total: number }>({
    name: 'count-scim-mappings',
    text: `SELECT count(*)::int AS total FROM ${living}`,
    values: [accountId],
  });
  return { mappings, totalCount: counted?.total ?? 0 };
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
