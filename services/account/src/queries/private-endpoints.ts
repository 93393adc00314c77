import type { AccountReads } from '@sluice/read-model';

/** A private endpoint as the read model shows it. */
export interface PrivateEndpointRow {
  readonly endpointId: string;
  readonly status: string;
  readonly modelPermaslug: string;
  readonly provider: string;
  readonly providerName: string;
  readonly upstreamModelId: string;
  readonly baseUrl: string | null;
  readonly declaredZdr: boolean | null;
  readonly declaredRegion: string | null;
  readonly promptPrice: string;
  readonly completionPrice: string;
  readonly createdAt: Date;
}

const columns = `
  endpoint_id AS "endpointId", status, model_permaslug AS "modelPermaslug", provider,
  provider_name AS "providerName", upstream_model_id AS "upstreamModelId", base_url AS "baseUrl",
  declared_zdr AS "declaredZdr", declared_region AS "declaredRegion",
  prompt_price AS "promptPrice", completion_price AS "completionPrice", created_at AS "createdAt"`;

interface Question {
  readonly accountId: string;
  readonly isActiveOnly: boolean;
}

/** Lists the private endpoints of an organization, the newest first. It has at most 100. */
export async function listPrivateEndpoints(
  readModel: AccountReads,
  { accountId, isActiveOnly }: Question,
): Promise<readonly PrivateEndpointRow[]> {
  return await readModel.forAccount(accountId).query<PrivateEndpointRow>({
    name: 'list-private-endpoints',
    text: `SELECT ${columns} FROM private_endpoints
           WHERE account_id = $1 AND (status = 'active' OR NOT $2)
           ORDER BY created_at DESC, endpoint_id DESC`,
    values: [accountId, isActiveOnly],
  });
}

/** Returns the endpoint; undefined when the organization has none of that id, which is a UUID. */
export async function findPrivateEndpoint(
  readModel: AccountReads,
  { accountId, endpointId }: { readonly accountId: string; readonly endpointId: string },
): Promise<PrivateEndpointRow | undefined> {
  const [row] = await readModel.forAccount(accountId).query<PrivateEndpointRow>({
    name: 'find-private-endpoint',
    text: `SELECT ${columns} FROM private_endpoints WHERE account_id = $1 AND endpoint_id = $2`,
    values: [accountId, endpointId],
  });
  return row;
}
